#include "posterior/trend_source.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <mutex>

#include "solve/usual_neighbours.h"
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

// Weights with which values at `known`, (parameters, count), make that of a function at `at` which
// is a polynomial: of degree 2 where there are enough of them, or 1. Nothing where there are fewer,
// or where they lie so that errors would grow.
Vector extrapolation(const Matrix& known, const Vector& at) {
  constexpr double kMostGrowth = 3;
  const Index p = at.size(), count = known.cols();
  const Index linear = 1 + p, quadratic = (p + 1) * (p + 2) / 2;
  if (count < linear) return {};
  Matrix apart = known.colwise() - at;
  const double scale = apart.cwiseAbs().maxCoeff();
  if (!(scale > 0)) return {};
  apart /= scale;
  Matrix terms(count >= quadratic ? quadratic : linear, count);
  terms.row(0).setOnes();
  terms.middleRows(1, p) = apart;
  Index row = linear;
  for (Index i = 0; row < terms.rows() && i < p; ++i) {
    for (Index j = 0; j <= i; ++j) {
      terms.row(row++) = apart.row(i).cwiseProduct(apart.row(j));
    }
  }
  const Vector weights =
      terms.completeOrthogonalDecomposition().solve(Vector::Unit(terms.rows(), 0));
  return weights.norm() < kMostGrowth ? weights : Vector();
}

// With X near K^-1 B and the residuals R = B - K X, B'K^-1 B is X'B + B'X - X'K X but for
// R'K^-1 R: of the second order, so that solves need not go on to the last digit. They start at the
// solutions of a psi nearby and have its preconditioner, which need not be that of each psi. Both
// are made when they are first needed: a fit that is resumed may have learnt what they are for.
class IterativeTrend : public TrendSource {
 public:
  IterativeTrend(const Model& model, const Dataset& data, const Vector& near)
      : mean_(model.mean), near_(near), right_sides_(data.y.size(), 1 + model.mean.size()) {
    Model without_trend = model;
    without_trend.mean = {};
    covariance_ = make_covariance(without_trend, data.x, {.backend = exact_backend()});
    right_sides_ << data.y, mean_.basis(data.x);
  }

  std::shared_ptr<const TrendGivenData> at(const ConstVector& psi) const override {
    Matrix x = start();
    return solved_at(psi, x);
  }

  // Each solve starts at what those before it come to there.
  Found at_all(const Matrix& places, const std::function<void(Index)>& done) const override {
    constexpr Index kMostKept = 16;  // the last ones
    Found found;
    std::vector<Matrix> solutions;
    for (Index i = 0; i < places.cols(); ++i) {
      done(i);
      const auto kept = static_cast<Index>(solutions.size());
      const Vector weights = extrapolation(places.middleCols(i - kept, kept), places.col(i));
      Matrix x = weights.size() > 0 ? Matrix::Zero(start().rows(), start().cols()) : start();
      for (Index j = 0; j < weights.size(); ++j) {
        x += weights(j) * solutions[static_cast<std::size_t>(j)];
      }
      found.push_back(solved_at(places.col(i), x));
      if (!found.back()) break;
      if (kept == kMostKept) solutions.erase(solutions.begin());
      solutions.push_back(std::move(x));
    }
    found.resize(static_cast<std::size_t>(places.cols()));  // nothing after what failed
    return found;
  }

  // Products keep all threads busy.
  bool side_by_side() const override { return false; }

 private:
  static constexpr Index kRank = 200;
  static constexpr int kMostIterations = 2000;
  // R'K^-1 R is at most this squared for all coefficients together. Their precision A is at least
  // 1 / scale^2, 0.01 as it comes, and far larger where data say anything of them.
  static constexpr double kResidual = 0.03;

  const Matrix& start() const {
    std::call_once(begun_, [this] { begin(); });
    return start_;
  }

  // Overwrites x, where the solve starts, with its solutions.
  std::shared_ptr<const TrendGivenData> solved_at(const ConstVector& psi, Matrix& x) const {
    start();
    const auto k = covariance_->at(psi);
    Matrix kx(x.rows(), x.cols());
    if (!solve(*k, x)) return nullptr;
    k->apply(x, kx);
    const Matrix xb = x.transpose() * right_sides_;
    const Matrix products = xb + xb.transpose() - x.transpose() * kx;
    const Index q = mean_.size();
    auto found = std::make_shared<const TrendGivenData>(mean_, products.bottomRightCorner(q, q),
                                                        products.col(0).tail(q));
    return found->is_positive() ? found : nullptr;
  }

  void begin() const {
    const auto k = covariance_->at(near_);
    preconditioner_ = make_preconditioner(
        *k, {.rank = std::min<Index>(kRank, k->size() / 5), .neighbours = kUsualNeighbours});
    start_ = Matrix::Zero(right_sides_.rows(), right_sides_.cols());
    solve(*k, start_);
  }

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
  Vector near_;
  std::unique_ptr<Covariance> covariance_;
  Matrix right_sides_;  // [y, H]
  mutable std::once_flag begun_;
  mutable std::shared_ptr<const Preconditioner> preconditioner_;
  mutable Matrix start_;
};

}  // namespace

bool trend_takes_solves(const Model& model, const Dataset& data, const Vector& near) {
  return data.x.rows() > kCholeskyRows && model.noise_diagonal(near, data.x).minCoeff() > 0;
}

TrendSource::Found TrendSource::at_all(const Matrix& places,
                                       const std::function<void(Index)>& done) const {
  Found found;
  for (Index i = 0; i < places.cols(); ++i) {
    done(i);
    found.push_back(at(places.col(i)));
  }
  return found;
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
