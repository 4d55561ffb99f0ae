#include "fit/ulisse_setup.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <memory>

#include "base/memory.h"
#include "fit/chains.h"
#include "gradient/curved_gradient.h"
#include "gradient/full_mode.h"
#include "gradient/rank_choice.h"
#include "sample/langevin.h"
#include "ulisse/unbiased.h"

namespace ulisse {

namespace {

// Up to here the exact mode costs less than a minute.
constexpr Index kExactModeRows = 3000;
// Beyond it one exact gradient takes more than some minutes.
constexpr Index kExactTraceRows = 25000;
// Below it products are not what takes the time, and K is kept.
constexpr Index kFloatRows = 4000;
constexpr double kTightness = 1e-4;  // of the anchor's solves, times sqrt(n)

double largest_eigenvalue(const Matrix& factor, const Matrix& v) {
  const Matrix whitened = factor.transpose() * v * factor;
  return Eigen::SelfAdjointEigenSolver<Matrix>(0.5 * (whitened + whitened.transpose()))
      .eigenvalues()
      .maxCoeff();
}

class Setup {
 public:
  Setup(const FitSettings& settings, const Model& model, const Dataset& data,
        const Covariance& covariance, std::size_t memory, const SetupWatch& watch)
      : s_(settings.ulisse),
        seed_(settings.seed),
        backend_(settings.backend),
        model_(model),
        data_(data),
        covariance_(covariance),
        memory_(memory > 0 ? memory : machine_memory_bytes() / 2),
        watch_(watch) {
    const double n = static_cast<double>(data.y.size());
    cg_ = {.tolerance = kTightness * std::sqrt(n), .verify = false};
  }

  UlisseSetup run() {
    find_mode_of_all();
    make_the_anchor();
    watch_("measuring the curvature at the mode");
    out_.survey = survey_curvature(model_, covariance_, out_.anchor, guess_, cg_);
    if (exact_mode() && out_.mode.covariance.size() > 0) {
      out_.survey.metric = out_.mode.covariance;
      out_.survey.repaired = false;
    }
    believe_a_trace();
    survey_bend(seen("looking how Gaussian the posterior is"), out_.survey);
    choose_coordinates();
    choose_probes();
    choose_step();
    judge_products();
    try_float();
    choose_q();
    return std::move(out_);
  }

 private:
  Index rows() const { return data_.y.size(); }
  bool exact_mode() const { return rows() <= kExactModeRows; }

  void find_mode_of_all() {
    const bool exact = exact_mode();
    const Indices subset = random_subset(rows(), exact ? rows() : s_.subset, seed_);
    watch_(fmt::format("looking for the mode of {} rows",
                       exact ? "all" : std::to_string(subset.size())));
    const Matrix x = data_.x(subset, Eigen::all);
    const Vector y = data_.y(subset);
    const ExactPosterior posterior(model_, x, y);
    out_.mode = find_mode(posterior, x, y);
    if (out_.mode.covariance.size() == 0) refuse_without_noise(out_.mode.psi);
    guess_ = out_.mode.covariance.size() > 0
                 ? out_.mode.covariance
                 : Matrix(0.04 * Matrix::Identity(out_.mode.psi.size(), out_.mode.psi.size()));
    if (exact) return;
    guess_ *= static_cast<double>(subset.size()) / static_cast<double>(rows());
    out_.mode = find_full_mode(
        model_, covariance_, data_.y, out_.mode.psi, guess_,
        {.rank = std::min(s_.rank, 500L), .seed = seed_}, [&](int gradients, double length) {
          watch_(fmt::format("looking for the mode of all rows, gradient {}, last step {:.2g} sd",
                             gradients, length));
        });
    guess_ = out_.mode.covariance;
  }

  void make_the_anchor() {
    watch_("choosing the preconditioner");
    const RankChoice choice = choose_rank(*covariance_.at(out_.mode.psi), data_.y, s_.rank, seed_);
    out_.rank = choice.preconditioner->rank();
    watch_("solving for the probes at the mode");
    out_.anchor = make_anchor(covariance_, data_.y, out_.mode.psi, choice.preconditioner,
                              {.bank = static_cast<int>(s_.bank), .seed = seed_, .cg = cg_});
  }

  AnchoredGradient tight_gradient() const {
    return {model_, covariance_, out_.anchor, {.probes = 1, .cg = cg_}};
  }

  // What the posterior is surveyed with, saying why each time: it may take long.
  GradientAt seen(const std::string& why) const {
    if (!exact_mode()) {
      return [this, why](const Vector& psi) {
        watch_(why);
        return tight_gradient().tight(psi);
      };
    }
    const auto exact = std::make_shared<const ExactPosterior>(model_, data_.x, data_.y);
    return [this, why, exact](const Vector& psi) {
      watch_(why);
      const LogDensity there = exact->log_density_and_gradient(psi);
      GradientEstimate estimate;
      estimate.gradient = there.rejected() ? Vector::Constant(psi.size(), NAN) : there.gradient;
      estimate.covariance = Matrix::Zero(psi.size(), psi.size());
      return estimate;
    };
  }

  // 1/2 tr(K^-1 dK) at the anchor.
  void believe_a_trace() {
    const Matrix factor = out_.survey.metric.llt().matrixL();
    const auto n = static_cast<std::size_t>(rows());
    const std::size_t cached = covariance_.backend() == "cached" ? cached_bytes(rows()) : 0;
    const bool fits = n * n * sizeof(double) + cached <= memory_ && rows() <= kExactTraceRows;
    if (s_.trace == "exact" || (s_.trace == "auto" && fits)) {
      watch_("computing the exact gradient at the mode");
      exact_trace();
    }
    refine_the_trace(factor);
  }

  // Also where K is not positive definite for Cholesky.
  void refine_the_trace(const Matrix& factor) {
    while (trace_error(factor) > s_.trace_error && out_.anchor.trace_probes < s_.trace_probes) {
      watch_(fmt::format("averaging the gradient at the mode, {} probes, error {:.2g} sd",
                         out_.anchor.trace_probes, trace_error(factor)));
      refine_trace(covariance_, out_.anchor, 32, trace_rng_, cg_);
    }
    out_.trace_error = trace_error(factor);
  }

  double trace_error(const Matrix& factor) const {
    if (out_.anchor.exact_trace) return 0;
    return std::sqrt(largest_eigenvalue(factor, out_.anchor.trace_covariance));
  }

  // The gradient is fit - trace + prior, and the fit needs y's solution alone.
  void exact_trace() {
    Anchor& a = out_.anchor;
    const LogDensity exact =
        ExactPosterior(model_, data_.x, data_.y).log_density_and_gradient(a.psi);
    if (exact.rejected()) return;
    const Vector without_trace = tight_gradient().tight(a.psi).gradient + a.trace;
    a.trace = without_trace - exact.gradient;
    a.trace_covariance.setZero();
    a.exact_trace = true;
  }

  // Others where the posterior is far from Gaussian in psi, if it is less so there.
  void choose_coordinates() {
    constexpr double kBent = 0.25;
    Survey& s = out_.survey;
    s.bend_of_psi = s.bend;
    if (s.bend < kBent) return;
    const GradientAt gradient =
        seen("looking for coordinates in which the posterior is less skewed");
    const Vector exponents = exponents_by(gradient, out_.anchor.psi, s.metric);
    const Survey in_psi = s;
    for (const double share : {1.0, 0.5, 0.25}) {
      const Coordinates other(out_.anchor.psi, share * exponents);
      const Survey there = survey_in(other, gradient, in_psi);
      if (there.bend < s.bend && !there.repaired) s = there;
      if (s.bend < in_psi.bend / 2) break;
    }
    refine_the_trace(s.metric.llt().matrixL());
  }

  // The bank's error stays the same for a whole run; that of fresh probes is noise, but they are
  // solved for twice.
  void choose_probes() {
    constexpr double kSmall = 0.1;
    if (exact_mode()) survey_bank(tight_gradient(), out_.survey);
    out_.fresh_probes = !(out_.survey.bank_error < kSmall);
    out_.probes = s_.probes;
  }

  void choose_step() { out_.step = s_.step > 0 ? s_.step : step_for(out_.survey.bend); }

  // Half the time where products take most of it. Rounding errors are not averaged out, so that
  // they must be far below a posterior standard deviation: seen one of them away from the anchor.
  void try_float() {
    if (backend_ != "auto" || covariance_.backend() != "dense" || rows() < kFloatRows) return;
    watch_("trying products in float");
    constexpr double kSmall = 0.01;
    auto in_float = make_covariance(model_.kernel, data_.x, {.backend = "dense-float"});
    const AnchoredGradient rough(model_, covariance_, out_.anchor,
                                 {.probes = 1, .cg = cg_, .fast = in_float.get()});
    out_.float_error = largest_change(tight_gradient(), rough);
    out_.use_float = out_.float_error < kSmall;
    if (!out_.use_float) return;
    out_.product_error = out_.float_error;
    float_covariance_ = std::move(in_float);
  }

  // What products in float, or by trees, that were asked for make of the gradient.
  void judge_products() {
    const auto k = covariance_.at(out_.anchor.psi);
    if (k->error_bound() == 0) return;
    watch_("comparing the products with those in double");
    const auto dense = make_covariance(model_.kernel, data_.x, {.backend = "dense"});
    const AnchoredGradient precise(model_, *dense, out_.anchor, {.probes = 1, .cg = cg_});
    out_.product_error = largest_change(precise, tight_gradient());
  }

  // In posterior standard deviations, one of them away from the anchor in each direction; in one of
  // them where that takes long.
  double largest_change(const AnchoredGradient& precise, const AnchoredGradient& rough) const {
    const Matrix factor = out_.survey.metric.llt().matrixL();
    double largest = 0;
    const Index directions = rows() > kExactTraceRows ? 1 : factor.cols();
    const Survey& survey = out_.survey;
    for (Index i = 0; i < directions; ++i) {
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

  // The largest q whose noise the correction can take, a tenth of the variance, where draws are;
  // and more of fresh probes where theirs alone is more than half of that.
  void choose_q() {
    watch_("choosing where solves may be cut");
    constexpr long kMostProbes = 32;
    const Matrix factor = out_.survey.metric.llt().matrixL();
    const double share = out_.step / 4 / (1 - out_.step / 4);
    for (const double q : {8.0, 4.0, 2.0, 1.0, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01}) {
      out_.q = s_.q > 0 ? s_.q : q;
      out_.noise = noise_around(factor);
      while (out_.fresh_probes && share * out_.noise_of_probes > 0.05 &&
             out_.probes < kMostProbes) {
        out_.probes = std::min(2 * out_.probes, kMostProbes);
        out_.noise = noise_around(factor);
      }
      if (s_.q > 0 || share * largest_eigenvalue(factor, out_.noise) < 0.1) break;
      // What probes do no other q mends.
      if (share * out_.noise_of_probes > 0.1 && share * out_.noise_of_cutting < 0.05) break;
    }
    out_.solver_error = solver_error(factor);
  }

  // Also keeps where it comes from.
  Matrix noise_around(const Matrix& factor) {
    const AnchoredGradient anchored =
        out_.gradient(s_, model_, covariance_, float_covariance_.get());
    const CurvedGradient gradient(anchored, out_.survey.coordinates);
    const Index p = factor.rows();
    const double weight = 0.5 / static_cast<double>(p);
    Matrix cutting = Matrix::Zero(p, p), probes = cutting, alone = cutting;
    Rng rng = stream(seed_, 0, Purpose::truncation);
    for (Index i = 0; i < p; ++i) {
      const Vector away = factor * rng.normal_vector(p);  // as far as draws are
      for (const double side : {1.0, -1.0}) {
        const NoiseParts parts = gradient.noise(out_.survey.centre + side * away, rng);
        cutting += weight * parts.cutting;
        probes += weight * parts.probes;
        alone += weight * parts.probes_alone;
      }
    }
    out_.noise_of_cutting = largest_eigenvalue(factor, cutting);
    out_.noise_of_probes = largest_eigenvalue(factor, probes);
    out_.noise_without_anchor = largest_eigenvalue(factor, alone);
    return cutting + probes;
  }

  // What a hundred times tighter solves at the anchor change.
  double solver_error(const Matrix& factor) const {
    CgOptions tighter = cg_;
    tighter.tolerance /= 100;
    const AnchoredGradient gradient(model_, covariance_, out_.anchor, {.probes = 1, .cg = tighter});
    const Vector& psi = out_.anchor.psi;
    const Vector change = gradient.tight(psi).gradient - tight_gradient().tight(psi).gradient;
    return (factor.transpose() * change).norm();
  }

  const UlisseSettings& s_;
  std::uint64_t seed_;
  const std::string& backend_;
  const Model& model_;
  const Dataset& data_;
  const Covariance& covariance_;
  std::size_t memory_;
  const SetupWatch& watch_;
  CgOptions cg_;
  Rng trace_rng_ = stream(seed_, 1, Purpose::probes);
  Matrix guess_;
  std::unique_ptr<Covariance> float_covariance_;
  UlisseSetup out_;
};

}  // namespace

// A product with a K that is kept is hardly faster than one without where K is large.
std::size_t memory_for_products(const FitSettings& settings, Index n, std::size_t memory) {
  return settings.backend == "auto" && n >= kFloatRows ? 1 : memory;
}

AnchoredGradient UlisseSetup::gradient(const UlisseSettings& settings, const Model& model,
                                       const Covariance& covariance, const Covariance* fast) const {
  const double n = static_cast<double>(anchor.right_sides.rows());
  return {model,
          covariance,
          anchor,
          {.probes = static_cast<int>(probes),
           .fresh = fresh_probes,
           .cg_of_fresh = {.tolerance = kTightness * std::sqrt(n), .verify = false},
           .q = q,
           .rule = parse_truncation(settings.truncation),
           .fast = fast}};
}

UlisseSetup prepare_ulisse(const FitSettings& settings, const Model& model, const Dataset& data,
                           const Covariance& covariance, std::size_t memory,
                           const SetupWatch& watch) {
  return Setup(settings, model, data, covariance, memory, watch).run();
}

void restore_preconditioner(const FitSettings& settings, const Covariance& covariance,
                            UlisseSetup& setup) {
  const auto k = covariance.at(setup.anchor.psi);
  const Matrix l = pivoted_cholesky(*k, {.rank = settings.ulisse.rank, .seed = settings.seed});
  setup.anchor.preconditioner =
      std::make_shared<LowRankPreconditioner>(l.leftCols(setup.rank), k->parameters().lambda);
}

}  // namespace ulisse
