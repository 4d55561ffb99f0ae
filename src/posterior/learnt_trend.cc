#include "posterior/learnt_trend.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <cmath>
#include <utility>

#include "base/watch.h"

namespace ulisse {

namespace {

// Places that polynomials are not fitted to: the last ones are moved farther out, where polynomials
// end to hold.
constexpr Index kHeldOut = 12, kFartherOut = 4;
constexpr double kFarther = 1.3;
constexpr Index kMostTermsOfDegree2 = 80;
// Of the coefficients' standard deviation: it adds a thousandth to their variance.
constexpr double kMostError = 0.03;

Index terms(Index p, Index degree) { return degree == 2 ? (p + 1) * (p + 2) / 2 : p + 1; }

Index degree_for(Index p) { return terms(p, 2) <= kMostTermsOfDegree2 ? 2 : 1; }

// 1, v_i, v_i v_j.
Vector terms_at(const Vector& v, Index degree) {
  const Index p = v.size();
  Vector t(terms(p, degree));
  t(0) = 1;
  t.segment(1, p) = v;
  Index at = 1 + p;
  for (Index i = 0; degree == 2 && i < p; ++i) {
    for (Index j = 0; j <= i; ++j) t(at++) = v(i) * v(j);
  }
  return t;
}

Vector whitened(const TrendPolynomials& learnt, const ConstVector& psi) {
  return learnt.factor.triangularView<Eigen::Lower>().solve(psi - learnt.centre);
}

// Numbers without bounds: the mean, and the Cholesky factor of the precision with the logarithm of
// its diagonal.
Vector values_of(const TrendGivenData& t) {
  const Index q = t.size();
  const Matrix factor = t.precision().llt().matrixL();
  Vector values(q + q * (q + 1) / 2);
  values.head(q) = t.mean();
  Index at = q;
  for (Index i = 0; i < q; ++i) {
    for (Index j = 0; j < i; ++j) values(at++) = factor(i, j);
    values(at++) = std::log(factor(i, i));
  }
  return values;
}

TrendGivenData trend_from(const Mean& mean, const Vector& values) {
  const Index q = mean.size();
  Matrix factor = Matrix::Zero(q, q);
  Index at = q;
  for (Index i = 0; i < q; ++i) {
    for (Index j = 0; j < i; ++j) factor(i, j) = values(at++);
    factor(i, i) = std::exp(values(at++));
  }
  const Matrix precision = factor * factor.transpose();
  const double prior = 1 / (mean.scale * mean.scale);
  return {mean, precision - prior * Matrix::Identity(q, q), precision * values.head(q)};
}

Vector values_at(const TrendPolynomials& learnt, const Vector& v) {
  return learnt.coefficients.transpose() * terms_at(v, learnt.degree);
}

// The largest, in standard deviations of the coefficients: of their means, and of what their
// spread is off by.
double error_of(const Mean& mean, const Vector& values, const TrendGivenData& truth) {
  const TrendGivenData found = trend_from(mean, values);
  const Matrix factor = truth.precision().llt().matrixL();
  const Matrix unit = Matrix::Identity(mean.size(), mean.size());
  const double of_mean = (factor.transpose() * (found.mean() - truth.mean())).norm();
  const double of_spread =
      (factor.transpose() * found.covariance() * factor - unit).cwiseAbs().maxCoeff();
  return std::max(of_mean, 0.5 * of_spread);
}

Matrix with_some_farther_out(Matrix places, const Vector& centre) {
  for (Index i = places.cols() - kFartherOut; i < places.cols(); ++i) {
    places.col(i) = centre + kFarther * (places.col(i) - centre);
  }
  return places;
}

TrendSource::Found solve_at(const TrendSource& exact, const Matrix& places) {
  WatchStep step;
  return exact.at_all(places, [&](Index done) {
    step.say([&] {
      return fmt::format("learning the trend's coefficients, {} of {}", done + 1, places.cols());
    });
  });
}

class LearntTrend : public TrendSource {
 public:
  LearntTrend(std::unique_ptr<const TrendSource> exact, Mean mean, TrendPolynomials learnt)
      : exact_(std::move(exact)), mean_(std::move(mean)), learnt_(std::move(learnt)) {}

  std::shared_ptr<const TrendGivenData> at(const ConstVector& psi) const override {
    const Vector v = whitened(learnt_, psi);
    if (!(v.norm() < learnt_.radius)) return exact_->at(psi);
    return std::make_shared<const TrendGivenData>(trend_from(mean_, values_at(learnt_, v)));
  }
  bool side_by_side() const override { return false; }

 private:
  std::unique_ptr<const TrendSource> exact_;
  Mean mean_;
  TrendPolynomials learnt_;
};

}  // namespace

bool TrendPolynomials::fits(Index /*rows*/, Index p) const {
  return !is_there() || (centre.size() == p && factor.rows() == p && factor.cols() == p &&
                         (degree == 1 || degree == 2) && coefficients.rows() == terms(p, degree));
}

Index places_for_trend(Index parameters) {
  return 2 * terms(parameters, degree_for(parameters)) + kHeldOut;
}

TrendPolynomials learn_trend(const TrendSource& exact, const Mean& mean, const Matrix& likely) {
  const Index p = likely.rows(), fitted = likely.cols() - kHeldOut;
  TrendPolynomials learnt;
  learnt.degree = degree_for(p);
  learnt.centre = likely.rowwise().mean();
  const Matrix deviations = likely.colwise() - learnt.centre;
  learnt.factor = Matrix(deviations * deviations.transpose() / static_cast<double>(likely.cols()))
                      .llt()
                      .matrixL();
  const Matrix places = with_some_farther_out(likely, learnt.centre);
  const auto truths = solve_at(exact, places);
  Matrix design(fitted, terms(p, learnt.degree));
  Matrix values(fitted, mean.size() + mean.size() * (mean.size() + 1) / 2);
  for (Index i = 0; i < places.cols(); ++i) {
    const auto& truth = truths[static_cast<std::size_t>(i)];
    if (!truth) return {};
    const Vector v = whitened(learnt, places.col(i));
    learnt.radius = std::max(learnt.radius, v.norm());
    if (i >= fitted) continue;
    design.row(i) = terms_at(v, learnt.degree).transpose();
    values.row(i) = values_of(*truth).transpose();
  }
  learnt.coefficients = design.colPivHouseholderQr().solve(values);
  for (Index i = fitted; i < places.cols(); ++i) {
    const double error = error_of(mean, values_at(learnt, whitened(learnt, places.col(i))),
                                  *truths[static_cast<std::size_t>(i)]);
    if (!(error <= kMostError)) return {};
    learnt.error = std::max(learnt.error, error);
  }
  return learnt;
}

std::unique_ptr<TrendSource> learnt_trend(std::unique_ptr<const TrendSource> exact,
                                          const Mean& mean, TrendPolynomials learnt) {
  return std::make_unique<LearntTrend>(std::move(exact), mean, std::move(learnt));
}

}  // namespace ulisse
