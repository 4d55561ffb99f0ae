// K^-1 by Cholesky in float, with and without a trend.

#include "posterior/float_inverse.h"

#include <gtest/gtest.h>

#include "support/random_points.h"
#include "ulisse/covariance.h"

namespace ulisse {
namespace {

using testing::normal_matrix;

constexpr Index kRows = 200;

Dataset table_of_rows() {
  return {.x = normal_matrix(kRows, 2, 1),
          .y = normal_matrix(kRows, 1, 2),
          .features = {"a", "b"},
          .target = "y"};
}

class FloatInverseTest : public ::testing::TestWithParam<bool> {
 protected:
  Dataset data = table_of_rows();
  Model model =
      GetParam()
          ? make_model(ModelOptions{.kernel = "matern32", .trend = {"a"}, .trend_scale = 5}, data)
          : make_model(ModelOptions{.kernel = "matern32"}, data);
  Vector psi{{-0.5, -0.3, -1.5}};
  std::unique_ptr<const CovarianceOperator> k = make_covariance(model, data.x)->at(psi);
};

TEST_P(FloatInverseTest, InvertsTheCovarianceWithItsTrend) {
  const auto inverse = FloatInverse::of(model, data.x, psi);
  ASSERT_TRUE(inverse);
  const Matrix b = normal_matrix(kRows, 3, 3);
  Matrix back(kRows, 3);
  k->apply(inverse->times(b), back);
  EXPECT_LT((back - b).norm(), 1e-3 * b.norm());
}

// That of the matrix which times() multiplies by, error and all.
TEST_P(FloatInverseTest, TraceIsThatOfTheSameMatrix) {
  const auto inverse = FloatInverse::of(model, data.x, psi);
  ASSERT_TRUE(inverse);
  const Matrix unit = Matrix::Identity(kRows, kRows);
  const Vector expected = 0.5 * k->gradient_forms(inverse->times(unit), unit);
  EXPECT_LT((inverse->half_trace() - expected).norm(), 1e-6 * expected.norm());
}

INSTANTIATE_TEST_SUITE_P(Trends, FloatInverseTest, ::testing::Bool());

TEST(FloatInverse, IsNothingWhereTheCovarianceIsSingularInFloat) {
  Dataset data = table_of_rows();
  data.x.setZero();
  const Model model = make_model(ModelOptions{.kernel = "rbf"}, data);
  EXPECT_FALSE(FloatInverse::of(model, data.x, Vector{{0, 0, -30}}));
}

}  // namespace
}  // namespace ulisse
