#include "ulisse/stochastic_gradient.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "posterior/column_mean.h"

namespace ulisse {

std::string to_string(ProbeKind kind) {
  return kind == ProbeKind::rademacher ? "rademacher" : "preconditioned";
}

StochasticGradient::StochasticGradient(const Model& model, const Covariance& covariance,
                                       const ConstVector& y, StochasticGradientOptions options)
    : model_(model), covariance_(covariance), y_(y), options_(std::move(options)) {
  if (y.size() != covariance.size()) {
    throw std::invalid_argument(
        fmt::format("y has {} rows, the covariance {}", y.size(), covariance.size()));
  }
  if (options_.probes < 1 || options_.y_pairs < 1) {
    throw std::invalid_argument("a stochastic gradient wants a probe and a pair of estimates");
  }
  state_.solutions = Matrix::Zero(y.size(), 1 + options_.probes);
}

void StochasticGradient::set_preconditioner(std::shared_ptr<const Preconditioner> p) {
  preconditioner_ = std::move(p);
}

void StochasticGradient::begin(const ConstVector& psi) {
  if (!options_.first_solve) return;
  CgOptions cg = options_.cg;
  cg.tolerance = std::max(cg.tolerance, 0.01 * std::sqrt(static_cast<double>(y_.size())));
  Matrix x = Matrix::Zero(y_.size(), 1);
  conjugate_gradients(*covariance_.at(psi), preconditioner_.get(), y_, x, cg);
  state_.solutions.col(0) = x;
}

void StochasticGradient::draw_probes(Rng& rng) {
  state_.solutions.rightCols(options_.probes).setZero();
  if (options_.kind == ProbeKind::preconditioned) {
    if (!preconditioner_) throw std::logic_error("preconditioned probes want a preconditioner");
    state_.probes = preconditioner_->sample(options_.probes, rng);
    state_.probe_weights.resizeLike(state_.probes);
    preconditioner_->apply(state_.probes, state_.probe_weights);
    return;
  }
  state_.probes.resize(y_.size(), options_.probes);
  for (Index r = 0; r < options_.probes; ++r)
    state_.probes.col(r) = rng.rademacher_vector(y_.size());
  state_.probe_weights = state_.probes;
}

void StochasticGradient::forget_solutions() { state_.solutions.setZero(); }

void StochasticGradient::set_state(GradientState state) {
  const bool no_probes_yet = state.probes.size() == 0;
  const bool fits = state.probes.rows() == y_.size() && state.probes.cols() == options_.probes;
  if (!(fits || no_probes_yet) || state.solutions.rows() != y_.size() ||
      state.solutions.cols() != options_.probes + 1 ||
      state.probe_weights.rows() != state.probes.rows() ||
      state.probe_weights.cols() != state.probes.cols()) {
    throw std::invalid_argument("the state of another gradient");
  }
  state_ = std::move(state);
}

// Columns: 2 y_pairs estimates of K^-1 y, then one of K^-1 z for each probe.
Matrix StochasticGradient::solve(const CovarianceOperator& k, Rng& truncation,
                                 UnbiasedSummary& summary) {
  Matrix b(y_.size(), 1 + options_.probes);
  b << y_, state_.probes;
  std::vector<int> estimates(static_cast<std::size_t>(b.cols()), 1);
  estimates[0] = 2 * options_.y_pairs;
  if (options_.rule) {
    const double early_stop = options_.q * std::sqrt(static_cast<double>(y_.size()));
    Matrix all =
        unbiased_solve(k, preconditioner_.get(), b, state_.solutions, estimates,
                       {.early_stop = early_stop, .rule = options_.rule.get(), .cg = options_.cg},
                       truncation, summary);
    if (options_.warm_start == WarmStart::estimate) {
      state_.solutions << all.col(0), all.rightCols(options_.probes);
    }
    return all;
  }
  summary.solve = conjugate_gradients(k, preconditioner_.get(), b, state_.solutions, options_.cg);
  Matrix all(y_.size(), estimates[0] + options_.probes);
  all << state_.solutions.col(0).replicate(1, estimates[0]),
      state_.solutions.rightCols(options_.probes);
  return all;
}

GradientEstimate StochasticGradient::estimate(const ConstVector& psi, Rng& truncation) {
  if (state_.probes.size() == 0) throw std::logic_error("no probes have been drawn");
  const auto k = covariance_.at(psi);
  GradientEstimate result;
  const Matrix x = solve(*k, truncation, result.solves);
  const Index pairs = options_.y_pairs, probes = options_.probes;
  Matrix u(y_.size(), pairs + probes), v(y_.size(), pairs + probes);
  u << x.leftCols(pairs), x.rightCols(probes);
  v << x.middleCols(pairs, pairs), state_.probe_weights;
  const Matrix forms = 0.5 * k->gradient_forms_by_column(u, v);
  const Matrix fits = forms.leftCols(pairs), traces = forms.rightCols(probes);
  result.gradient =
      fits.rowwise().mean() - traces.rowwise().mean() + model_.log_prior(psi).gradient;
  result.covariance = covariance_of_mean(fits) + covariance_of_mean(traces);
  return result;
}

}  // namespace ulisse
