#include "ulisse/gradient_plan.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <vector>

#include "base/watch.h"
#include "sample/langevin.h"
#include "ulisse/curved_gradient.h"
#include "ulisse/unbiased.h"
#include "ulisse/whitened.h"

namespace ulisse {

namespace {

class Planning {
 public:
  Planning(const SetupProblem& problem, const Anchor& anchor, bool by_float, const Survey& survey)
      : problem_(problem),
        anchor_(anchor),
        by_float_(by_float),
        survey_(survey),
        factor_(survey.metric.llt().matrixL()) {}

  GradientPlan cutting(const GradientPlan& of_products) {
    plan_ = of_products;
    choose_step();
    choose_q();
    return std::move(plan_);
  }

 private:
  void choose_step() {
    plan_.step = problem_.settings.step > 0 ? problem_.settings.step : step_for(survey_.bend);
  }

  // The largest q whose noise the correction can take, a tenth of the variance where draws are and
  // a quarter far out; and more of fresh probes where theirs alone is more than half of that.
  void choose_q() {
    problem_.report("choosing where solves may be cut");
    // A larger q saves a product of three where K is small, and that is not what takes the time.
    const double largest = problem_.rows() < SetupProblem::kFloatRows ? 0.5 : 8;
    for (const double q :
         {8.0, 4.0, 2.0, 1.0, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001}) {
      if (q > largest) continue;
      plan_.early_stop = problem_.settings.early_stop > 0 ? problem_.settings.early_stop : q;
      measure_noise();
      if (problem_.settings.early_stop > 0 || is_small_enough()) break;
    }
  }

  // Of the gradients' noise in the draws' variance, for each lambda_max(M V).
  double share() const { return plan_.step / 4 / (1 - plan_.step / 4); }

  void measure_noise() {
    do {
      plan_.noise = noise_around_the_mode();
    } while (has_more_probes());
    plan_.noise_share = share() * largest_eigenvalue(factor_, plan_.noise);
    // It takes as long, and is measured where the first does not decide.
    plan_.noise_share_far = another_q_may_help() ? NAN : share() * cutting_far_out();
  }

  // Not where it is the probes alone that make the noise.
  bool another_q_may_help() const {
    const bool too_noisy = !(plan_.noise_share < GradientPlan::kMaxNoiseShare);
    return too_noisy && !(share() * plan_.noise_of_cutting < 0.5 * GradientPlan::kMaxNoiseShare);
  }

  bool is_small_enough() const {
    return plan_.noise_share_far < GradientPlan::kMaxNoiseShareFarOut;
  }

  // Of fresh ones, where their noise alone is more than half of the largest share.
  bool has_more_probes() {
    constexpr long kMaxFreshProbes = 32;
    const bool wanted =
        plan_.fresh_probes && share() * plan_.noise_of_probes > 0.5 * GradientPlan::kMaxNoiseShare;
    if (!wanted || plan_.probe_count >= kMaxFreshProbes) return false;
    plan_.probe_count = std::min(2 * plan_.probe_count, kMaxFreshProbes);
    return true;
  }

  // Also keeps where it comes from.
  Matrix noise_around_the_mode() {
    const NoiseParts parts = noise_where_draws_are();
    plan_.noise_of_cutting = largest_eigenvalue(factor_, parts.cutting);
    plan_.noise_of_probes = largest_eigenvalue(factor_, parts.probes);
    plan_.noise_without_anchor = largest_eigenvalue(factor_, parts.probes_alone);
    return parts.cutting + parts.probes;
  }

  // Three standard deviations away in each direction, where the anchor's solutions and its
  // preconditioner serve least: noise that throws a chain still farther out would grow on the way.
  double cutting_far_out() const {
    const auto repeats = static_cast<std::size_t>(std::max<Index>(1, pairs() / factor_.cols()));
    double largest = 0;
    for (Index i = 0; i < factor_.cols(); ++i) {
      for (const double side : {3.0, -3.0}) {
        const std::vector<Vector> place(repeats, survey_.centre + side * factor_.col(i));
        const double noise = largest_eigenvalue(factor_, mean_noise(place).cutting);
        if (std::isnan(noise)) return noise;
        largest = std::max(largest, noise);
      }
    }
    return largest;
  }

  // Where draws are.
  NoiseParts noise_where_draws_are() const {
    Rng rng = stream(problem_.seed, 1, Purpose::truncation);
    std::vector<Vector> places;
    for (Index i = 0; i < pairs(); ++i) {
      const Vector away = factor_ * rng.normal_vector(factor_.rows());
      places.emplace_back(survey_.centre + away);
      places.emplace_back(survey_.centre - away);
    }
    return mean_noise(places);
  }

  // Of places on both sides of the mode. Solves that are cut have rare and large errors, which few
  // gradients do not show: as many as take a second or so.
  Index pairs() const {
    constexpr Index kRowsTimesPairs = 10'000, kMaxPairs = 32;
    return std::max(survey_.metric.rows(), std::min(kMaxPairs, kRowsTimesPairs / problem_.rows()));
  }

  NoiseParts mean_noise(const std::vector<Vector>& places) const {
    const AnchoredGradient anchored(
        problem_.model, {problem_.covariance, plan_.use_float ? problem_.in_float : nullptr},
        anchor_, plan_.options(problem_.settings, anchor_, by_float_));
    const Coordinates& coordinates = survey_.coordinates;
    const double weight = 1 / static_cast<double>(places.size());
    const Matrix none = Matrix::Zero(places[0].size(), places[0].size());
    NoiseParts mean{.cutting = none, .probes = none, .probes_alone = none};
    Rng rng = stream(problem_.seed, 0, Purpose::truncation);
    WatchStep step;
    std::size_t count = 0;
    for (const Vector& place : places) {
      ++count;
      step.say([&] {
        return fmt::format("q = {:g}, gradient {} of {}", plan_.early_stop, count, places.size());
      });
      const NoiseParts parts = carried_to(
          coordinates, place, anchored.estimate_in_parts(coordinates.psi(place), rng).parts);
      mean.cutting += weight * parts.cutting;
      mean.probes += weight * parts.probes;
      mean.probes_alone += weight * parts.probes_alone;
    }
    return mean;
  }

  const SetupProblem& problem_;
  const Anchor& anchor_;
  bool by_float_;
  const Survey& survey_;
  Matrix factor_;  // of the survey's metric
  GradientPlan plan_;
};

}  // namespace

bool GradientPlan::fits(Index /*rows*/, Index p) const {
  return (noise.size() == 0 || (noise.rows() == p && noise.cols() == p)) && probe_count >= 1;
}

AnchoredGradientOptions GradientPlan::options(const UlisseSettings& settings, const Anchor& anchor,
                                              bool by_float) const {
  return {.probes = static_cast<int>(probe_count),
          .fresh = fresh_probes,
          .fast_at_anchor = by_float,
          .cg_at_anchor =
              precise_solves(anchor.right_sides.col(0), anchor.preconditioner->least_noise()),
          .q = early_stop,
          .rule = parse_truncation(settings.truncation)};
}

GradientPlan plan_gradients(const SetupProblem& problem, const Anchor& anchor, bool by_float,
                            const Survey& survey, const GradientPlan& of_products) {
  return Planning(problem, anchor, by_float, survey).cutting(of_products);
}

}  // namespace ulisse
