#include "fit/posterior_shape.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "fit/anchor_trace.h"
#include "fit/chains.h"
#include "fit/second_mode.h"
#include "sample/langevin.h"
#include "ulisse/fast_solves.h"
#include "ulisse/full_mode.h"
#include "ulisse/rank_choice.h"
#include "ulisse/tight_solves.h"

namespace ulisse {

namespace {

class PosteriorShape {
 public:
  PosteriorShape(SetupWork& work, UlisseSetup& out) : work_(work), out_(out), trace_(work, out) {}

  void find() {
    find_mode_of_all();
    work_.cg = tight_solves(work_.data.y, work_.model.noise_variance(out_.mode.psi));
    make_the_anchor();
    work_.watch("measuring the curvature at the mode");
    out_.survey = survey_curvature(work_.model, work_.working(), out_.anchor, guess_, work_.cg);
    if (work_.exact_mode() && out_.mode.covariance.size() > 0) {
      out_.survey.metric = out_.mode.covariance;
      out_.survey.repaired = false;
    }
    trace_.believe(out_.survey.metric);
    survey_bend(seen("looking how Gaussian the posterior is", 2 * parameters() + 7), out_.survey);
    if (!work_.exact_mode()) correct_the_mode();
    choose_coordinates();
    if (work_.exact_mode()) {
      survey_second_mode(ExactPosterior(work_.model, work_.data.x, work_.data.y), out_);
      if (work_.settings.step <= 0) out_.why_exact = why_exact();
    }
  }

 private:
  // Langevin's steps are not to be trusted from here on, and in few rows from kBent on, from which
  // on other coordinates may help.
  static constexpr double kVeryBent = 0.4;

  // Where Langevin's steps are not to be trusted; and in few rows.
  std::string why_exact() const {
    if (out_.has_second_mode()) return "the posterior has another mode";
    if (out_.survey.repaired) return "the posterior has no maximum where it was sought";
    const double most = work_.rows() <= work_.settings.careful_rows ? kBent : kVeryBent;
    if (!(out_.survey.bend < most)) return "the posterior is far from Gaussian";
    if (work_.rows() <= work_.settings.exact_rows) return "there are few rows";
    return "";
  }

  void find_mode_of_all() {
    const bool exact = work_.exact_mode();
    const Indices subset =
        random_subset(work_.rows(), exact ? work_.rows() : work_.settings.subset, work_.seed);
    work_.watch(fmt::format("looking for the mode of {} rows",
                            exact ? "all" : std::to_string(subset.size())));
    const Matrix x = work_.data.x(subset, Eigen::all);
    const Vector y = work_.data.y(subset);
    const ExactPosterior posterior(work_.model, x, y);
    // Steps are scaled to what is around the anchor.
    out_.mode = find_mode(posterior, x, y, {}, {.top = Top::heaviest});
    if (out_.mode.covariance.size() == 0) refuse_without_noise(work_.model, out_.mode.psi);
    guess_ = out_.mode.covariance.size() > 0
                 ? out_.mode.covariance
                 : Matrix(0.04 * Matrix::Identity(out_.mode.psi.size(), out_.mode.psi.size()));
    if (exact) return;
    out_.searched_rows = static_cast<long>(subset.size());
    out_.share_there = out_.mode.other_share;
    guess_ *= static_cast<double>(subset.size()) / static_cast<double>(work_.rows());
    work_.cg = tight_solves(work_.data.y, work_.model.noise_variance(out_.mode.psi));
    try_solves_in_float();
    climb_on_all_rows();
  }

  void climb_on_all_rows() {
    const std::string what = "looking for the mode of all rows";
    work_.watch(what);
    const FullModeOptions options{.rank = search_rank(), .seed = work_.seed};
    out_.mode = find_full_mode(
        work_.model, work_.working(), work_.data.y, out_.mode.psi, guess_, options,
        [&](int gradients, double length) {
          work_.watch(fmt::format("{}, {} of at most {} gradients done, last step {:.2g} sd", what,
                                  gradients, options.most_gradients, length));
        });
    guess_ = out_.mode.covariance;
  }

  Index parameters() const { return work_.model.parameter_count(); }

  // Half the time, where residuals in double fall as fast. The backend is known after the first K.
  void try_solves_in_float() {
    if (!work_.may_use_float) return;
    work_.watch("trying solves in float");
    work_.covariance.at(out_.mode.psi);
    work_.in_float = work_.covariance.lower_precision();
    if (!work_.in_float) return;
    const WorkingCovariance working(work_.covariance, work_.in_float.get());
    const WorkingOperator k = working.at(out_.mode.psi);
    const LowRankPreconditioner p(
        pivoted_cholesky(*k.precise, {.rank = search_rank(), .seed = work_.seed}),
        k.precise->noise());
    Rng rng = stream(work_.seed, 2, Purpose::probes);
    Matrix b(work_.rows(), 4);
    b << work_.data.y, p.sample(3, rng);
    out_.setup_in_float = fast_solves_pay(k, p, b, work_.cg);
    if (out_.setup_in_float) work_.fast = work_.in_float.get();
  }

  Index search_rank() const { return std::min(work_.settings.rank, 500L); }

  void make_the_anchor() {
    work_.watch("choosing the preconditioner");
    const RankChoice choice =
        choose_rank(*work_.covariance.at(out_.mode.psi), work_.model.dimensions, work_.data.y,
                    work_.settings.rank, work_.seed);
    out_.rank = choice.preconditioner->rank();
    work_.watch("solving for the probes at the mode");
    out_.anchor = make_anchor(
        work_.working(), work_.data.y, out_.mode.psi, choice.preconditioner,
        {.bank = static_cast<int>(work_.settings.bank), .seed = work_.seed, .cg = work_.cg});
  }

  // What the posterior is surveyed with, saying why each time, and how many gradients it takes at
  // most.
  GradientAt seen(const std::string& why, Index most) const {
    const auto tell = [this, why, most, count = std::make_shared<Index>(0)] {
      work_.watch(fmt::format("{}, gradient {} of at most {}", why, ++*count, most));
    };
    if (!work_.exact_mode()) {
      return [this, tell](const Vector& psi) {
        tell();
        return work_.tight_gradient(out_.anchor).tight(psi);
      };
    }
    const auto exact =
        std::make_shared<const ExactPosterior>(work_.model, work_.data.x, work_.data.y);
    return [tell, exact](const Vector& psi) {
      tell();
      const LogDensity there = exact->log_density_and_gradient(psi);
      GradientEstimate estimate;
      estimate.gradient = there.rejected() ? Vector::Constant(psi.size(), NAN) : there.gradient;
      estimate.covariance = Matrix::Zero(psi.size(), psi.size());
      return estimate;
    };
  }

  // The search ended where its own noise did, at the anchor, which stays. With a trace that is
  // believed the gradient there is known better.
  void correct_the_mode() {
    constexpr double kFarthest = 1;  // standard deviations; a longer step says little
    const Survey& s = out_.survey;
    if (s.off_mode < kFarthest && !s.repaired) out_.mode.psi = out_.anchor.psi + s.newton;
  }

  // Others where the posterior is far from Gaussian in psi, if it is less so there.
  void choose_coordinates() {
    Survey& s = out_.survey;
    s.bend_of_psi = s.bend;
    if (s.bend < kBent) return;
    const GradientAt gradient =
        seen("looking for coordinates in which the posterior is less skewed",
             2 * parameters() + 1 + 3 * (4 * parameters() + 12));
    const Vector exponents = exponents_by(gradient, out_.anchor.psi, s.metric);
    const Survey in_psi = s;
    for (const double share : {1.0, 0.5, 0.25}) {
      const Coordinates other(out_.anchor.psi, share * exponents);
      const Survey there = survey_in(other, gradient, in_psi);
      if (there.bend < s.bend && !there.repaired) s = there;
      if (s.bend < in_psi.bend / 2) break;
    }
    trace_.refine(s.metric);
  }

  SetupWork& work_;
  UlisseSetup& out_;
  AnchorTrace trace_;
  Matrix guess_;
};

}  // namespace

void find_shape(SetupWork& work, UlisseSetup& out) { PosteriorShape(work, out).find(); }

}  // namespace ulisse
