// Predictions of a model with a trend, given one psi: universal kriging in plain formulas.

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "predict/predictor.h"
#include "support/random_points.h"

namespace ulisse {
namespace {

using testing::normal_matrix;

class TrendPredictor : public ::testing::TestWithParam<const char*> {
 protected:
  TrendPredictor() {
    data.x = normal_matrix(90, 2, 1);
    data.features = {"a", "b"};
    data.y = 1 + 2 * data.x.col(0).array() + (2 * data.x.col(1).array()).sin() +
             0.3 * normal_matrix(90, 1, 2).col(0).array();
    new_x = 3 * normal_matrix(12, 2, 5);
    new_x.row(0).setConstant(40);  // far beyond the data
  }

  Model model(double scale) const {
    return make_model({.kernel = "matern32(a,b) + rbf(b)", .trend = {"a"}, .trend_scale = scale},
                      data);
  }

  std::unique_ptr<Predictor> predictor(const Model& of) const {
    auto made = make_predictor(of, data.x, data.y, {.method = GetParam(), .latent = true});
    made->condition(kPsi);
    return made;
  }

  Matrix plain_covariance(const Model& of, const Matrix& a, const Matrix& b) const {
    const KernelParameters p = unpack(of.kernel, of.layout.kernel_psi(kPsi), 2);
    Matrix k(a.rows(), b.rows());
    for (Index i = 0; i < a.rows(); ++i) {
      for (Index j = 0; j < b.rows(); ++j) {
        k(i, j) = evaluate(of.kernel, p, a.row(i), b.row(j)).value;
      }
    }
    return k;
  }

  Matrix plain_covariance_of_data(const Model& of) const {
    Matrix k = plain_covariance(of, data.x, data.x);
    k.diagonal().array() += std::exp(kPsi(4));
    return k;
  }

  const Vector kPsi = (Vector(5) << -0.5, -0.3, -1, 0.2, -1.5).finished();
  Dataset data;
  Matrix new_x;
};

// With a prior that says nothing: b by generalised least squares, and m = h'b + k'K^-1 (y - H b),
// v = k(x, x) - k'K^-1 k + r'(H'K^-1 H)^-1 r, r = h - H'K^-1 k.
TEST_P(TrendPredictor, IsUniversalKrigingWhereThePriorIsWide) {
  const Model of = model(1e5);
  const auto found_by = predictor(of);
  const Moments found = found_by->moments(new_x);
  const Matrix k = plain_covariance_of_data(of), cross = plain_covariance(of, data.x, new_x);
  const Matrix h = of.mean.basis(data.x), new_h = of.mean.basis(new_x);
  const Eigen::LLT<Matrix> factor(k);
  const Matrix precision = h.transpose() * factor.solve(h);
  const Vector b = precision.inverse() * (h.transpose() * factor.solve(data.y));
  const Vector mean = new_h * b + cross.transpose() * factor.solve(data.y - h * b);
  const Matrix r = new_h.transpose() - h.transpose() * factor.solve(cross);
  const Vector variance = plain_covariance(of, new_x, new_x).diagonal() -
                          (cross.transpose() * factor.solve(cross)).diagonal() +
                          (r.transpose() * precision.inverse() * r).diagonal();
  EXPECT_LT((found.mean - mean).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT(((found.variance - variance).array() / variance.array()).abs().maxCoeff(), 1e-4);
  // Far out it is the line with its own uncertainty, and the kernel's variance.
  EXPECT_NEAR(found.mean(0), b(0) + 40 * b(1), 1e-6);
  const Vector far = (Vector(2) << 1, 40).finished();
  EXPECT_NEAR(found.variance(0), variance(0), 1e-4 * variance(0));
  EXPECT_GT(found.variance(0), 0.9 * far.dot(precision.inverse() * far));
}

// The trend is a Gaussian process with the covariance H B H'.
TEST_P(TrendPredictor, IsAGaussianProcessWithTheTrendInItsCovariance) {
  const Model of = model(2);
  const Matrix h = of.mean.basis(data.x), new_h = of.mean.basis(new_x);
  const Matrix k = plain_covariance_of_data(of) + 4 * h * h.transpose();
  const Matrix cross = plain_covariance(of, data.x, new_x) + 4 * h * new_h.transpose();
  const Eigen::LLT<Matrix> factor(k);
  const Matrix covariance = plain_covariance(of, new_x, new_x) + 4 * new_h * new_h.transpose() -
                            cross.transpose() * factor.solve(cross);
  const auto found_by = predictor(of);
  const Moments found = found_by->moments(new_x);
  EXPECT_LT((found.mean - cross.transpose() * factor.solve(data.y)).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT((found.variance - covariance.diagonal()).cwiseAbs().maxCoeff(), 1e-4);
  EXPECT_LT((found_by->covariance(new_x) - covariance).cwiseAbs().maxCoeff(), 1e-4);
}

// Each part has the covariance of its own with the data, and the same for itself.
TEST_P(TrendPredictor, PartsAreConditionedEachOnItsOwnCovariance) {
  const Model of = model(2);
  const Matrix h = of.mean.basis(data.x), new_h = of.mean.basis(new_x);
  const Matrix k = plain_covariance_of_data(of) + 4 * h * h.transpose();
  const Eigen::LLT<Matrix> factor(k);
  const auto found_by = predictor(of);
  Vector sum = Vector::Zero(new_x.rows());
  for (const NamedComponent& component : components_of(of)) {
    Matrix cross = 4 * h * new_h.transpose();
    Vector prior = 4 * new_h.rowwise().squaredNorm();
    if (!component.part.trend) {
      const Index t = component.part.terms[0];
      Model alone = of;
      alone.kernel = Kernel({of.kernel.terms[static_cast<std::size_t>(t)]});
      const Vector psi = t == 0 ? Vector(kPsi.head(2)) : Vector(kPsi.segment(2, 2));
      const KernelParameters p = unpack(alone.kernel, psi, 2);
      for (Index i = 0; i < cross.rows(); ++i) {
        for (Index j = 0; j < cross.cols(); ++j) {
          cross(i, j) = evaluate(alone.kernel, p, data.x.row(i), new_x.row(j)).value;
        }
      }
      prior.setConstant(p[0].sigma);
    }
    const Moments found = found_by->moments(new_x, component.part);
    const Vector explained = (cross.transpose() * factor.solve(cross)).diagonal();
    EXPECT_LT((found.mean - cross.transpose() * factor.solve(data.y)).cwiseAbs().maxCoeff(), 1e-6)
        << component.name;
    EXPECT_LT((found.variance - (prior - explained)).cwiseAbs().maxCoeff(), 1e-4) << component.name;
    sum += found.mean;
  }
  EXPECT_LT((sum - found_by->moments(new_x).mean).cwiseAbs().maxCoeff(), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Methods, TrendPredictor, ::testing::Values("exact", "float", "iterative"));

}  // namespace
}  // namespace ulisse
