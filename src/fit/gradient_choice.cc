#include "fit/gradient_choice.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <memory>
#include <vector>

#include "base/watch.h"
#include "sample/langevin.h"
#include "ulisse/backend.h"
#include "ulisse/curved_gradient.h"
#include "ulisse/whitened.h"

namespace ulisse {

namespace {

class GradientChoice {
 public:
  GradientChoice(const SetupWork& work, UlisseSetup& out) : work_(work), out_(out) {}

  void choose() {
    choose_probes();
    choose_step();
    judge_products();
    try_float();
    choose_q();
  }

 private:
  // The bank's error stays the same for a whole run; that of fresh probes is noise, but they are
  // solved for twice.
  void choose_probes() {
    constexpr double kSmall = 0.1;
    if (work_.exact_mode()) {
      work_.watch("looking whether the bank has enough probes");
      survey_bank(work_.tight_gradient(out_.anchor), out_.survey);
    }
    out_.fresh_probes = !(out_.survey.bank_error < kSmall);
    out_.probes = work_.settings.probes;
  }

  void choose_step() {
    out_.step = work_.settings.step > 0 ? work_.settings.step : step_for(out_.survey.bend);
  }

  // Half the time where products take most of it. Rounding errors are not averaged out, so that
  // they must be far below a posterior standard deviation: seen one of them away from the anchor.
  void try_float() {
    if (!work_.in_float) return;
    work_.watch("trying products in float");
    constexpr double kSmall = 0.01;
    const AnchoredGradient precise(work_.model, work_.covariance, out_.anchor,
                                   {.probes = 1, .cg = work_.cg});
    const AnchoredGradient rough(work_.model, {work_.covariance, work_.in_float.get()}, out_.anchor,
                                 {.probes = 1, .cg = work_.cg});
    out_.float_error = largest_change(precise, rough);
    out_.use_float = out_.float_error < kSmall;
    if (out_.use_float) out_.product_error = out_.float_error;
  }

  // What products in float, or by trees, that were asked for make of the gradient.
  void judge_products() {
    const auto k = work_.covariance.at(out_.anchor.psi);
    if (k->error_bound() == 0) return;
    work_.watch("comparing the products with those in double");
    const auto dense = make_covariance(work_.model, work_.data.x, {.backend = exact_backend()});
    const AnchoredGradient precise(work_.model, *dense, out_.anchor, {.probes = 1, .cg = work_.cg});
    out_.product_error = largest_change(precise, work_.tight_gradient(out_.anchor));
  }

  // In posterior standard deviations, one of them away from the anchor in each direction; in one of
  // them where that takes long.
  double largest_change(const AnchoredGradient& precise, const AnchoredGradient& rough) const {
    const Matrix factor = out_.survey.metric.llt().matrixL();
    double largest = 0;
    const Index directions = work_.rows() > SetupWork::kExactTraceRows ? 1 : factor.cols();
    const Survey& survey = out_.survey;
    WatchStep step;
    for (Index i = 0; i < directions; ++i) {
      step.say([&] { return fmt::format("direction {} of {}", i + 1, directions); });
      const Vector u = survey.centre + factor.col(i);
      const Vector psi = survey.coordinates.psi(u);
      const Vector change = survey.coordinates.slope(u).cwiseProduct(rough.tight(psi).gradient -
                                                                     precise.tight(psi).gradient);
      const double error = (factor.transpose() * change).norm();
      if (std::isnan(error)) return error;
      largest = std::max(largest, error);
    }
    return largest;
  }

  // The largest q whose noise the correction can take, a tenth of the variance where draws are and
  // a quarter far out; and more of fresh probes where theirs alone is more than half of that.
  void choose_q() {
    work_.watch("choosing where solves may be cut");
    // A larger q saves a product of three where K is small, and that is not what takes the time.
    const double largest = work_.rows() < SetupWork::kFloatRows ? 0.5 : 8;
    for (const double q :
         {8.0, 4.0, 2.0, 1.0, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001}) {
      if (q > largest) continue;
      out_.q = work_.settings.q > 0 ? work_.settings.q : q;
      measure_noise();
      if (work_.settings.q > 0 || is_small_enough()) break;
    }
    work_.watch("measuring the error of the solves at the mode");
    out_.solver_error = solver_error(out_.survey.metric.llt().matrixL());
  }

  static constexpr double kMost = UlisseSetup::kMostNoise;
  static constexpr double kMostFarOut = UlisseSetup::kMostNoiseFarOut;

  // Of the gradients' noise in the draws' variance, for each lambda_max(M V).
  double share() const { return out_.step / 4 / (1 - out_.step / 4); }

  void measure_noise() {
    do {
      out_.noise = noise_around_the_mode();
    } while (has_more_probes());
    out_.noise_share = share() * largest_eigenvalue(out_.survey.metric.llt().matrixL(), out_.noise);
    // It takes as long, and is looked at where the first leaves the matter open.
    out_.noise_share_far = another_q_may_help() ? NAN : share() * cutting_far_out();
  }

  // Not where it is the probes alone that make the noise.
  bool another_q_may_help() const {
    const bool too_noisy = !(out_.noise_share < kMost);
    return too_noisy && !(share() * out_.noise_of_cutting < 0.5 * kMost);
  }

  bool is_small_enough() const { return out_.noise_share_far < kMostFarOut; }

  // Of fresh ones, where theirs alone is more than half of what may be.
  bool has_more_probes() {
    constexpr long kMostProbes = 32;
    const bool wanted = out_.fresh_probes && share() * out_.noise_of_probes > 0.5 * kMost;
    if (!wanted || out_.probes >= kMostProbes) return false;
    out_.probes = std::min(2 * out_.probes, kMostProbes);
    return true;
  }

  // Also keeps where it comes from.
  Matrix noise_around_the_mode() {
    const Matrix factor = out_.survey.metric.llt().matrixL();
    const NoiseParts parts = noise_around(out_.survey.centre, factor);
    out_.noise_of_cutting = largest_eigenvalue(factor, parts.cutting);
    out_.noise_of_probes = largest_eigenvalue(factor, parts.probes);
    out_.noise_without_anchor = largest_eigenvalue(factor, parts.probes_alone);
    return parts.cutting + parts.probes;
  }

  // Three standard deviations away in each direction, where the anchor's solutions and its
  // preconditioner serve least: noise that throws a chain still farther out would grow on the way.
  double cutting_far_out() const {
    const Matrix factor = out_.survey.metric.llt().matrixL();
    const auto repeats = static_cast<std::size_t>(std::max<Index>(1, pairs() / factor.cols()));
    double largest = 0;
    for (Index i = 0; i < factor.cols(); ++i) {
      for (const double side : {3.0, -3.0}) {
        const std::vector<Vector> place(repeats, out_.survey.centre + side * factor.col(i));
        const double noise = largest_eigenvalue(factor, mean_noise(place).cutting);
        if (std::isnan(noise)) return noise;
        largest = std::max(largest, noise);
      }
    }
    return largest;
  }

  // Where draws are.
  NoiseParts noise_around(const Vector& centre, const Matrix& factor) const {
    Rng rng = stream(work_.seed, 1, Purpose::truncation);
    std::vector<Vector> places;
    for (Index i = 0; i < pairs(); ++i) {
      const Vector away = factor * rng.normal_vector(factor.rows());
      places.emplace_back(centre + away);
      places.emplace_back(centre - away);
    }
    return mean_noise(places);
  }

  // Of places on both sides of the mode. Solves that are cut have rare and large errors, which few
  // gradients do not show: as many as take a moment.
  Index pairs() const {
    constexpr Index kRowsOfAMoment = 10'000, kMostPairs = 32;
    return std::max(out_.survey.metric.rows(), std::min(kMostPairs, kRowsOfAMoment / work_.rows()));
  }

  NoiseParts mean_noise(const std::vector<Vector>& places) const {
    const AnchoredGradient anchored =
        out_.gradient(work_.settings, work_.model,
                      {work_.covariance, out_.use_float ? work_.in_float.get() : nullptr});
    const Coordinates& coordinates = out_.survey.coordinates;
    const double weight = 1 / static_cast<double>(places.size());
    const Matrix none = Matrix::Zero(places[0].size(), places[0].size());
    NoiseParts mean{.cutting = none, .probes = none, .probes_alone = none};
    Rng rng = stream(work_.seed, 0, Purpose::truncation);
    WatchStep step;
    std::size_t count = 0;
    for (const Vector& place : places) {
      ++count;
      step.say(
          [&] { return fmt::format("q = {:g}, gradient {} of {}", out_.q, count, places.size()); });
      const NoiseParts parts = carried_to(
          coordinates, place, anchored.estimate_in_parts(coordinates.psi(place), rng).parts);
      mean.cutting += weight * parts.cutting;
      mean.probes += weight * parts.probes;
      mean.probes_alone += weight * parts.probes_alone;
    }
    return mean;
  }

  // What a hundred times tighter solves at the anchor change.
  double solver_error(const Matrix& factor) const {
    CgOptions tighter = work_.cg;
    tighter.tolerance /= 100;
    const AnchoredGradient gradient(work_.model, work_.working(), out_.anchor,
                                    {.probes = 1, .cg = tighter, .careful = true});
    const Vector& psi = out_.anchor.psi;
    const Vector change =
        gradient.tight(psi).gradient - work_.tight_gradient(out_.anchor).tight(psi).gradient;
    return (factor.transpose() * change).norm();
  }

  const SetupWork& work_;
  UlisseSetup& out_;
};

}  // namespace

void choose_gradient(const SetupWork& work, UlisseSetup& out) {
  GradientChoice(work, out).choose();
}

}  // namespace ulisse
