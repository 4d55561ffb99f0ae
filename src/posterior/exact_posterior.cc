#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <stdexcept>

#include "base/blas.h"
#include "base/memory.h"
#include "kernel/dense.h"
#include "kernel/noise_and_trend.h"
#include "kernel/tiled_gradient.h"
#include "posterior/inverse_weights.h"
#include "posterior/trend_memo.h"
#include "solve/dense_factor.h"
#include "solve/matrix_pool.h"
#include "solve/trend_given_data.h"
#include "ulisse/exact.h"

namespace ulisse {

namespace {

// Below it theta is no normal number, and 0 in a chain's file: its logarithm is lost.
const double kMinPsi = std::log(std::numeric_limits<double>::min());

LogDensity rejected(std::string why) {
  return {-std::numeric_limits<double>::infinity(), Vector(), std::move(why)};
}

std::string describe(const Model& model, const ConstVector& psi) {
  std::string text;
  for (Index i = 0; i < psi.size(); ++i) {
    text +=
        fmt::format("{}{} = {:.4g}", i == 0 ? "" : ", ", model.layout.at(i).name, std::exp(psi(i)));
  }
  return text;
}

}  // namespace

class ExactPosterior::Implementation {
 public:
  Implementation(Model model, const ConstBlock& x, const ConstVector& y) : y_(y) {
    if (x.rows() != y.size() || x.rows() == 0) {
      throw std::invalid_argument(fmt::format("y has {} rows, X has {}", y.size(), x.rows()));
    }
    if (x.cols() != model.dimensions) {
      throw std::invalid_argument(
          fmt::format("X has {} columns, the model {} inputs", x.cols(), model.dimensions));
    }
    const auto n = static_cast<std::size_t>(x.rows());
    check_memory(fmt::format("the exact likelihood of {} rows", n), n * n * sizeof(double));
    points_.emplace(model.kernel, x);
    h_ = model.mean.basis(x);
    added_.emplace(std::move(model), x);
  }

  const Model& model() const { return added_->model(); }
  Index size() const { return y_.size(); }

  // log p(y | psi) = -1/2 log|K| - 1/2 y'K^-1 y - n/2 log 2 pi
  LogDensity likelihood(const ConstVector& psi, bool with_gradient) const {
    if (!psi.allFinite()) return rejected("a parameter is not finite");
    if (psi.size() > 0 && psi.minCoeff() < kMinPsi) return out_of_range(psi);
    const DenseOperator<double> k(*points_, model().layout.kernel_psi(psi));
    if (!k.kernel().is_usable() || !added_->noise(psi).allFinite()) return out_of_range(psi);
    const MatrixPool::Lease lease = matrices_.take();
    Matrix& factor = *lease;
    added_->lower_matrix(k, psi, factor);
    const Index failed = parallel_cholesky(factor);
    if (failed != 0) {
      return rejected(
          fmt::format("K is not positive definite in floating point (leading minor {} of {}) at {}",
                      failed, size(), describe(model(), psi)));
    }
    Vector alpha = y_;
    solve_left(Triangle::lower, false, factor, alpha);
    Matrix v = h_;
    if (v.cols() > 0) solve_left(Triangle::lower, false, factor, v);
    const TrendGivenData trend(model().mean, v.transpose() * v, v.transpose() * alpha);
    if (v.cols() > 0) trends_.keep(psi, trend);
    const double log_determinant =
        2 * factor.diagonal().array().log().sum() + trend.log_determinant();
    const double value = -0.5 * (log_determinant + alpha.squaredNorm() - trend.explained() +
                                 static_cast<double>(size()) * std::log(2 * std::numbers::pi));
    if (!std::isfinite(value))
      return rejected(fmt::format("the likelihood is not finite at {}", describe(model(), psi)));
    if (!with_gradient) return {value, Vector(), ""};
    if (v.cols() > 0) {
      alpha -= v * trend.mean();
      solve_left(Triangle::lower, true, factor, v);
    }
    solve_left(Triangle::lower, true, factor, alpha);
    const Vector slope = gradient(k, psi, factor, alpha, v, trend);
    if (!slope.allFinite())
      return rejected(fmt::format("the gradient is not finite at {}", describe(model(), psi)));
    return {value, slope, ""};
  }

  // A density that is no finite number has factors all the same.
  std::shared_ptr<const TrendGivenData> trend(const ConstVector& psi) const {
    if (auto found = trends_.find(psi)) return found;
    likelihood(psi, false);
    return trends_.find(psi);
  }

  LogDensity posterior(const ConstVector& psi, bool with_gradient) const {
    LogDensity result = likelihood(psi, with_gradient);
    if (result.rejected()) return result;
    const auto [value, slope] = model().log_prior(psi);
    result.value += value;
    if (!std::isfinite(result.value))
      return rejected(fmt::format("the prior is not finite at {}", describe(model(), psi)));
    if (with_gradient) result.gradient += slope;
    return result;
  }

 private:
  LogDensity out_of_range(const ConstVector& psi) const {
    return rejected(
        fmt::format("parameters out of the range of floating point: {}", describe(model(), psi)));
  }

  // g_j = 1/2 sum_ab (alpha alpha' - (K + H B H')^-1)_ab (dK_j)_ab, alpha = (K + H B H')^-1 y and
  // h = K^-1 H.
  Vector gradient(const DenseOperator<double>& k, const ConstVector& psi, Matrix& factor,
                  const Vector& alpha, const Matrix& h, const TrendGivenData& trend) const {
    parallel_inverse(factor);
    if (h.cols() > 0) {
      factor.selfadjointView<Eigen::Lower>().rankUpdate(trend.whitened(h.transpose()).transpose(),
                                                        -1);
    }
    const std::vector<InverseWeights<double>> weights(1, InverseWeights<double>(factor, alpha));
    const Vector of_kernel = tiled_contractions(k.kernel(), weights, TilePairs{k.kernel().tiles()});
    return added_->slopes(psi, of_kernel, 0.5 * (alpha.squaredNorm() - factor.diagonal().sum()));
  }

  std::optional<NoiseAndTrend> added_;
  std::optional<KernelPoints> points_;
  Vector y_;
  Matrix h_;  // of the trend, (n, coefficients)
  mutable MatrixPool matrices_;
  mutable TrendMemo trends_;
};

ExactPosterior::ExactPosterior(Model model, const ConstBlock& x, const ConstVector& y)
    : implementation_(std::make_unique<const Implementation>(std::move(model), x, y)) {}
ExactPosterior::~ExactPosterior() = default;

const Model& ExactPosterior::model() const { return implementation_->model(); }
Index ExactPosterior::size() const { return implementation_->size(); }

LogDensity ExactPosterior::log_density(const ConstVector& psi) const {
  return implementation_->posterior(psi, false);
}

LogDensity ExactPosterior::log_density_and_gradient(const ConstVector& psi) const {
  return implementation_->posterior(psi, true);
}

LogDensity ExactPosterior::log_likelihood(const ConstVector& psi) const {
  return implementation_->likelihood(psi, false);
}

std::shared_ptr<const TrendGivenData> ExactPosterior::trend(const ConstVector& psi) const {
  return implementation_->trend(psi);
}

// A step of 1e-3 in psi: truncation 1e-6 relative, rounding of gradients (some 1e-10) far below it.
Matrix ExactPosterior::hessian(const ConstVector& psi,
                               const std::function<void(double)>& evaluated) const {
  const Index p = psi.size();
  const double step = 1e-3;
  Matrix h = Matrix::Constant(p, p, std::numeric_limits<double>::quiet_NaN());
  for (Index i = 0; i < p; ++i) {
    Vector up = psi, down = psi;
    up(i) += step;
    down(i) -= step;
    const LogDensity above = log_density_and_gradient(up);
    if (evaluated) evaluated(above.value);
    const LogDensity below = log_density_and_gradient(down);
    if (evaluated) evaluated(below.value);
    if (above.rejected() || below.rejected()) return h;
    h.col(i) = (above.gradient - below.gradient) / (2 * step);
  }
  return 0.5 * (h + h.transpose());
}

}  // namespace ulisse
