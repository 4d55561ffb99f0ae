#include "posterior/trend_source.h"

#include <algorithm>
#include <cmath>

#include "ulisse/backend.h"
#include "ulisse/covariance.h"
#include "ulisse/preconditioner.h"
#include "ulisse/solve.h"

namespace ulisse {

namespace {

// Above it a factor takes longer than some fifteen products.
constexpr Index kCholeskyRows = 2000;

// Below it each product and factor is too small to keep several threads busy.
constexpr Index kSideBySideRows = 4000;

class ExactTrend : public TrendSource {
 public:
  explicit ExactTrend(const ExactPosterior& posterior) : posterior_(posterior) {}

  std::shared_ptr<const TrendGivenData> at(const ConstVector& psi) const override {
    return posterior_.trend(psi);
  }
  bool side_by_side() const override { return posterior_.size() < kSideBySideRows; }

 private:
  const ExactPosterior& posterior_;
};

class OwnExactTrend : public TrendSource {
 public:
  OwnExactTrend(const Model& model, const Dataset& data) : posterior_(model, data.x, data.y) {}

  std::shared_ptr<const TrendGivenData> at(const ConstVector& psi) const override {
    return posterior_.trend(psi);
  }
  bool side_by_side() const override { return true; }

 private:
  ExactPosterior posterior_;
};

// With X near K^-1 B and the residuals R = B - K X, B'K^-1 B is X'B + B'X - X'K X but for
// R'K^-1 R: of the second order, so that solves need not go on to the last digit. They start at the
// solutions of a psi nearby and have its preconditioner, which need not be that of each psi.
class IterativeTrend : public TrendSource {
 public:
  IterativeTrend(const Model& model, const Dataset& data, const Vector& near)
      : mean_(model.mean), right_sides_(data.y.size(), 1 + model.mean.size()) {
    Model without_trend = model;
    without_trend.mean = {};
    covariance_ = make_covariance(without_trend, data.x, {.backend = exact_backend()});
    right_sides_ << data.y, mean_.basis(data.x);
    const auto k = covariance_->at(near);
    preconditioner_ = make_preconditioner(
        *k, {.rank = std::min<Index>(kRank, data.y.size() / 5), .neighbours = kNeighbours});
    start_ = Matrix::Zero(right_sides_.rows(), right_sides_.cols());
    solve(*k, start_);
  }

  std::shared_ptr<const TrendGivenData> at(const ConstVector& psi) const override {
    const auto k = covariance_->at(psi);
    Matrix x = start_, kx(x.rows(), x.cols());
    if (!solve(*k, x)) return nullptr;
    k->apply(x, kx);
    const Matrix xb = x.transpose() * right_sides_;
    const Matrix products = xb + xb.transpose() - x.transpose() * kx;
    const Index q = mean_.size();
    auto found = std::make_shared<const TrendGivenData>(mean_, products.bottomRightCorner(q, q),
                                                        products.col(0).tail(q));
    return found->is_positive() ? found : nullptr;
  }

  // Products keep all threads busy.
  bool side_by_side() const override { return false; }

 private:
  static constexpr Index kRank = 200, kNeighbours = 30;
  static constexpr int kMostIterations = 2000;
  // R'K^-1 R is at most this squared for all coefficients together. Their precision A is at least
  // 1 / scale^2, 0.01 as it comes, and far larger where data say anything of them.
  static constexpr double kResidual = 0.03;

  // True where the residual is as small as it should be, or as floating point lets it.
  bool solve(const CovarianceOperator& k, Matrix& x) const {
    const double tolerance =
        kResidual * std::sqrt(k.noise().minCoeff() / static_cast<double>(mean_.size()));
    const SolveSummary summary = conjugate_gradients(
        k, preconditioner_.get(), right_sides_, x,
        {.tolerance = tolerance, .max_iterations = kMostIterations, .verify = false});
    return summary.stop == Stop::converged || summary.stop == Stop::stagnation;
  }

  Mean mean_;
  std::unique_ptr<Covariance> covariance_;
  Matrix right_sides_;  // [y, H]
  std::shared_ptr<const Preconditioner> preconditioner_;
  Matrix start_;
};

}  // namespace

bool trend_takes_solves(const Model& model, const Dataset& data, const Vector& near) {
  return data.x.rows() > kCholeskyRows && model.noise_diagonal(near, data.x).minCoeff() > 0;
}

std::unique_ptr<TrendSource> exact_trend(const ExactPosterior& posterior) {
  return std::make_unique<ExactTrend>(posterior);
}

std::unique_ptr<TrendSource> make_trend_source(const Model& model, const Dataset& data,
                                               const Vector& near) {
  if (trend_takes_solves(model, data, near)) {
    return std::make_unique<IterativeTrend>(model, data, near);
  }
  return std::make_unique<OwnExactTrend>(model, data);
}

}  // namespace ulisse
