// One suite that every covariance backend passes, against the plain reference.

#include "covariance_conformance.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <limits>
#include <ostream>
#include <utility>

#include "support/random_points.h"
#include "support/thread_counts.h"

namespace ulisse {
namespace {

using testing::Case;
using testing::cases;
using testing::compiles;
using testing::CovarianceConformance;
using testing::kEpsilon;
using testing::normal_matrix;

TEST_P(CovarianceConformance, AnyNumberOfPoints) {
  for (const Index n : {1, 2, 3, 47, 48, 49, 95, 97, 150, 289}) {
    const Matrix x = normal_matrix(n, 3, 1);
    expect_apply_matches(x, psi(3, 1.7, 0.4, 0.1), normal_matrix(n, 3, 2));
    expect_forms_match(x, psi(3, 1.7, 0.4, 0.1), normal_matrix(n, 3, 3), normal_matrix(n, 3, 4));
  }
}

TEST_P(CovarianceConformance, AnyDimension) {
  const Indices many{1, 2, 5, 8, 15, 16, 17, 33, 100}, few{1, 2, 8, 17};
  for (const Index d : compiles(GetParam().backend) ? few : many) {
    const Matrix x = normal_matrix(101, d, 5);
    const Vector p = psi(d, 1.7, 0.5 / double(d), 0.1);
    expect_apply_matches(x, p, normal_matrix(101, 2, 6));
    expect_forms_match(x, p, normal_matrix(101, 2, 7), normal_matrix(101, 2, 8));
  }
}

TEST_P(CovarianceConformance, AnyNumberOfRightHandSides) {
  const Matrix x = normal_matrix(70, 2, 9);
  const Indices many{1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 16, 23, 24, 31, 32, 40, 63, 64};
  const Indices few{1, 4, 5, 24, 63};
  for (const Index m : compiles(GetParam().backend) ? few : many) {
    expect_apply_matches(x, psi(2, 0.9, 1.1, 0.01), normal_matrix(70, m, 10));
    expect_forms_match(x, psi(2, 0.9, 1.1, 0.01), normal_matrix(70, m, 11),
                       normal_matrix(70, m, 12));
  }
}

TEST_P(CovarianceConformance, DuplicatePointsGiveSigmaExactly) {
  Matrix x = normal_matrix(60, 4, 13) * 100;
  x.row(59) = x.row(0);
  x.row(31) = x.row(30);
  const auto op = build(GetParam().backend, x, psi(4, 2, 0.7, 0.5));
  const double sigma = op->kernel().variance();
  Matrix columns(60, 3);
  op->kernel().columns({0, 30, 7}, columns);
  const double rounding = rounding_of_variance(*op);
  EXPECT_NEAR(columns(0, 0), sigma, rounding);
  EXPECT_NEAR(columns(59, 0), sigma, rounding);
  EXPECT_NEAR(columns(31, 1), sigma, rounding);
  EXPECT_NEAR(columns(7, 2), sigma, rounding);
  expect_apply_matches(x, psi(4, 2, 0.7, 0.5), normal_matrix(60, 4, 14));
  expect_forms_match(x, psi(4, 2, 0.7, 0.5), normal_matrix(60, 2, 15), normal_matrix(60, 2, 16));
}

TEST_P(CovarianceConformance, PointsFarApartUnderflowToZero) {
  Matrix x = normal_matrix(55, 2, 17);
  x.row(3) *= 1e4;
  x.row(54) *= 1e8;
  const Vector p = psi(2, 1, 1, 1e-3);
  expect_apply_matches(x, p, normal_matrix(55, 3, 18));
  expect_forms_match(x, p, normal_matrix(55, 3, 19), normal_matrix(55, 3, 20));
  Matrix column(55, 1);
  const auto op = build(GetParam().backend, x, p);
  op->kernel().columns({54}, column);
  EXPECT_EQ(column(0, 0), 0);
  EXPECT_NEAR(column(54, 0), op->kernel().variance(), rounding_of_variance(*op));
}

TEST_P(CovarianceConformance, PointsFarFromTheOriginKeepTheirDistances) {
  const Matrix x = normal_matrix(60, 3, 21).array() + 1e6;
  expect_apply_matches(x, psi(3, 1, 0.5, 0.1), normal_matrix(60, 3, 22));
}

// Errors of one sign, where they add up, are the hardest on the bound; 1.37 is no float.
TEST_P(CovarianceConformance, RightHandSidesOfOneSignKeepTheBound) {
  for (const Index d : {1, 3, 30}) {
    const Matrix x = normal_matrix(150, d, 40);
    Matrix rhs = Matrix::Constant(150, 2, 1.37);
    rhs.col(1).setZero();
    rhs(77, 1) = 1.37;
    for (const double tau : {0.01, 0.3, 1.0}) {
      expect_apply_matches(x, psi(d, 1, tau / double(d), 0.1), rhs);
      expect_forms_match(x, psi(d, 1, tau / double(d), 0.1), rhs, rhs);
    }
  }
}

TEST_P(CovarianceConformance, TheBoundIsTight) {
  const Matrix x = normal_matrix(150, 3, 41);
  const Vector p = psi(3, 2, 0.3, 0.1);
  EXPECT_LT(build(GetParam().backend, x, p)->error_bound(), 2e-5 * 2);
  // Centring keeps it so far from the origin.
  const Matrix far = x.array() + 1e6;
  EXPECT_LT(build(GetParam().backend, far, p)->error_bound(), 2e-5 * 2);
}

// Parameters at which everything is far from everything: K is sigma on the diagonal.
TEST_P(CovarianceConformance, NoTwoPointsOfAGridMeetWhenScalesVanish) {
  const Matrix x = Vector::LinSpaced(50, 0, 4900);
  for (const double tau : {1e20, 1e100, 1e300}) {
    const Vector p = psi(1, 1, tau, 0.1);
    const auto op = build(GetParam().backend, x, p);
    if (op->error_bound() >= 1) continue;  // it says itself that it knows nothing
    Matrix k(50, 50);
    op->apply(Matrix::Identity(50, 50), k);
    const double diagonal = op->kernel().variance() + 0.1;
    EXPECT_LT((k - diagonal * Matrix::Identity(50, 50)).cwiseAbs().maxCoeff(), 1e-6) << tau;
    EXPECT_TRUE(op->gradient_forms(x, x).allFinite()) << tau;
  }
}

TEST_P(CovarianceConformance, HugeAndTinyParameters) {
  const Matrix x = normal_matrix(50, 3, 23);
  const Matrix rhs = normal_matrix(50, 2, 24);
  for (const double tau : {1e-300, 1e-30, 1e-8, 1e8, 1e30, 1e200}) {
    expect_apply_matches(x, psi(3, 1, tau, 0.1), rhs);
    expect_forms_match(x, psi(3, 1, tau, 0.1), rhs, rhs);
  }
  for (const double sigma : {1e-200, 1e-20, 1e20, 1e200}) {
    expect_apply_matches(x, psi(3, sigma, 0.5, 1), rhs);
    expect_forms_match(x, psi(3, sigma, 0.5, 1), rhs, rhs);
  }
  for (const double lambda : {1e-200, 1e-20, 1e20, 1e200}) {
    expect_apply_matches(x, psi(3, 1, 0.5, lambda), rhs);
  }
}

TEST_P(CovarianceConformance, HugeAndTinyRightHandSides) {
  const Matrix x = normal_matrix(50, 3, 25);
  Matrix rhs = normal_matrix(50, 4, 26);
  rhs.col(0) *= 1e-100;
  rhs.col(1) *= 1e100;
  rhs.col(2).setZero();
  expect_apply_matches(x, psi(3, 1, 0.5, 0.1), rhs);
  expect_forms_match(x, psi(3, 1, 0.5, 0.1), rhs, rhs.rowwise().reverse());
}

TEST_P(CovarianceConformance, ColumnsAreTheMatrixWithoutNoise) {
  const Matrix x = normal_matrix(100, 3, 27);
  const Vector p = psi(3, 1.3, 0.5, 0.2);
  const auto op = build(GetParam().backend, x, p);
  Indices which(100);
  for (Index i = 0; i < 100; ++i) which[i] = (i * 37) % 100;
  Matrix columns(100, 100), expected(100, 100), products(100, 100);
  op->kernel().columns(which, columns);
  build("reference", x, p)->kernel().columns(which, expected);
  EXPECT_LE((columns - expected).cwiseAbs().maxCoeff(), op->error_bound() + 40 * kEpsilon);
  op->apply(Matrix::Identity(100, 100), products);
  products.diagonal().array() -= op->noise()(0);
  for (Index i = 0; i < 100; ++i) {
    EXPECT_LE((columns.col(i) - products.col(which[i])).cwiseAbs().maxCoeff(),
              2 * op->error_bound() + 40 * kEpsilon);
  }
}

TEST_P(CovarianceConformance, ResultMayOverwriteItsArgument) {
  const Matrix x = normal_matrix(60, 2, 28), rhs = normal_matrix(60, 3, 29);
  const auto op = build(GetParam().backend, x, psi(2, 1, 1, 0.1));
  Matrix y(60, 3), in_place = rhs;
  op->apply(rhs, y);
  op->apply(in_place, in_place);
  EXPECT_EQ(y, in_place);
}

TEST_P(CovarianceConformance, ThreadsDoNotChangeASingleBit) {
  const Matrix x = normal_matrix(700, 3, 30);
  const Matrix u = normal_matrix(700, 5, 31), v = normal_matrix(700, 5, 32);
  testing::expect_same_bits_on_any_threads([&] {
    const auto op = build(GetParam().backend, x, psi(3, 1, 0.5, 0.1));
    Matrix y(700, 5);
    op->apply(u, y);
    Matrix forms(psi(3, 1, 0.5, 0.1).size(), 6);
    forms << op->gradient_forms(u, v), op->gradient_forms_by_column(u, v);
    return std::pair(y, forms);
  });
}

TEST_P(CovarianceConformance, GradientFormsMeetFiniteDifferencesOfProducts) {
  if (!backend_named(GetParam().backend).can.in_double)
    GTEST_SKIP() << "differences of products in low precision are noise";
  const Matrix x = normal_matrix(80, 3, 33);
  const Matrix u = normal_matrix(80, 2, 34), v = normal_matrix(80, 2, 35);
  const Vector p = psi(3, 1.2, 0.6, 0.3);
  const Vector forms = build(GetParam().backend, x, p)->gradient_forms(u, v);
  for (Index j = 0; j < p.size(); ++j) {
    const double h = 1e-5;
    Vector up = p, down = p;
    up(j) += h;
    down(j) -= h;
    Matrix y_up(80, 2), y_down(80, 2);
    build(GetParam().backend, x, up)->apply(v, y_up);
    build(GetParam().backend, x, down)->apply(v, y_down);
    const double numerical = u.cwiseProduct(y_up - y_down).sum() / (2 * h);
    EXPECT_NEAR(forms(j), numerical, 1e-6 * u.norm() * v.norm()) << j;
  }
}

TEST_P(CovarianceConformance, FormsByColumnAreTheFormsOfEachColumn) {
  const Matrix x = normal_matrix(130, 3, 37);
  Matrix u = normal_matrix(130, 4, 38), v = normal_matrix(130, 4, 39);
  u.col(1) *= 1e6;  // columns of different size do not disturb each other
  v.col(2).setZero();
  const auto op = build(GetParam().backend, x, psi(3, 1.2, 0.6, 0.3));
  const Matrix forms = op->gradient_forms_by_column(u, v);
  ASSERT_EQ(forms.cols(), 4);
  for (Index c = 0; c < 4; ++c) {
    const Vector alone = op->gradient_forms(u.col(c), v.col(c));
    EXPECT_LE((forms.col(c) - alone).norm(), 1e-13 * u.col(c).norm() * v.col(c).norm()) << c;
  }
  EXPECT_EQ(op->gradient_forms_by_column(u.leftCols(0), v.leftCols(0)).cols(), 0);
  EXPECT_THROW(op->gradient_forms_by_column(u, v.leftCols(3)), std::invalid_argument);
}

TEST_P(CovarianceConformance, WrongShapesAreRefused) {
  const auto op = build(GetParam().backend, normal_matrix(10, 2, 36), psi(2, 1, 1, 1));
  Matrix y(10, 2), short_y(9, 2);
  EXPECT_THROW(op->apply(Matrix(9, 2), y), std::invalid_argument);
  EXPECT_THROW(op->apply(Matrix(10, 2), short_y), std::invalid_argument);
  EXPECT_THROW(op->apply(Matrix(10, 3), y), std::invalid_argument);
  EXPECT_THROW(op->gradient_forms(Matrix(10, 2), Matrix(10, 3)), std::invalid_argument);
  EXPECT_THROW(op->kernel().columns({1, 10}, y), std::invalid_argument);
}

std::string case_name(const ::testing::TestParamInfo<Case>& info) {
  std::string name = info.param.backend + "_" + info.param.kernel;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = c == '*' ? 'x' : '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, CovarianceConformance, ::testing::ValuesIn(cases()), case_name);

}  // namespace
}  // namespace ulisse
