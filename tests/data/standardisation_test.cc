#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>

#include "temporary_file.h"
#include "ulisse/dataset.h"

namespace ulisse {
namespace {

Dataset random_data(Index n, Index d) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  Dataset data{.x = Matrix(n, d), .y = Vector(n), .features = {}, .target = "y"};
  for (double& value : data.x.reshaped()) value = 5 + 3 * normal(random);
  for (double& value : data.y) value = -100 + 7 * normal(random);
  for (Index j = 0; j < d; ++j) data.features.push_back(fmt::format("x{}", j + 1));
  return data;
}

// One feature 'a' of these values, and a harmless target.
Dataset with_column(const Vector& values) {
  return {
      .x = values, .y = Vector::LinSpaced(values.size(), 0, 1), .features = {"a"}, .target = "y"};
}

std::string error_for(const Dataset& data) {
  return error_of([&] { standardisation_of(data); });
}

TEST(Standardisation, UsesTheMeanAndTheStandardDeviationWithNMinusOne) {
  const Standardisation s = standardisation_of(with_column((Vector(4) << 1, 2, 3, 6).finished()));
  EXPECT_DOUBLE_EQ(s.x_mean[0], 3);
  EXPECT_DOUBLE_EQ(s.x_sd[0], std::sqrt(14.0 / 3));
}

TEST(Standardisation, GivesEveryColumnMeanZeroAndDeviationOne) {
  const Dataset data = random_data(1000, 4);
  const Dataset z = scaled(data, standardisation_of(data));
  for (Index j = 0; j < 4; ++j) {
    EXPECT_NEAR(z.x.col(j).mean(), 0, 1e-14);
    EXPECT_NEAR(z.x.col(j).squaredNorm() / 999, 1, 1e-12);
  }
  EXPECT_NEAR(z.y.mean(), 0, 1e-14);
  EXPECT_NEAR(z.y.squaredNorm() / 999, 1, 1e-12);
}

TEST(Standardisation, IsInvertible) {
  const Dataset data = random_data(1000, 4);
  const Standardisation s = standardisation_of(data);
  EXPECT_TRUE(s.unscale_x(s.scale_x(data.x)).isApprox(data.x, 1e-15));
  EXPECT_TRUE(s.unscale_y(s.scale_y(data.y)).isApprox(data.y, 1e-15));
}

TEST(Standardisation, KeepsTheNamesAndTheSource) {
  Dataset data = random_data(5, 2);
  data.source = "data.csv";
  const Dataset z = scaled(data, standardisation_of(data));
  EXPECT_EQ(z.features, data.features);
  EXPECT_EQ(z.target, data.target);
  EXPECT_EQ(z.source, data.source);
}

TEST(Standardisation, TheIdentityChangesNothing) {
  const Dataset data = random_data(100, 3);
  const Dataset same = scaled(data, identity_standardisation(3));
  EXPECT_EQ(same.x, data.x);
  EXPECT_EQ(same.y, data.y);
}

TEST(Standardisation, NamesAConstantColumnAndItsValue) {
  Dataset data = with_column(Vector::Constant(1000, 0.1));
  EXPECT_EQ(error_for(data), "column 'a' is constant: every value is 0.1");
  data.source = "data.csv";
  EXPECT_EQ(error_for(data), "data.csv: column 'a' is constant: every value is 0.1");
}

TEST(Standardisation, NamesAConstantTarget) {
  Dataset data = random_data(10, 2);
  data.y.setConstant(-3);
  EXPECT_EQ(error_for(data), "column 'y' is constant: every value is -3");
}

TEST(Standardisation, ASmallSpreadFarFromZeroIsExact) {
  // Sums of squares would lose every digit of this spread.
  const Vector values = (Vector(4) << 1e15 + 1, 1e15 + 2, 1e15 + 3, 1e15 + 6).finished();
  const Standardisation s = standardisation_of(with_column(values));
  EXPECT_EQ(s.x_mean[0], 1e15 + 3);
  EXPECT_DOUBLE_EQ(s.x_sd[0], std::sqrt(14.0 / 3));
  EXPECT_EQ(s.unscale_x(s.scale_x(values)), values);
}

TEST(Standardisation, ASpreadOfOnlyRoundingCountsAsConstant) {
  const double next = std::nextafter(0.3, 1);
  EXPECT_EQ(error_for(with_column((Vector(4) << 0.3, next, 0.3, next).finished())),
            "column 'a' is constant but for rounding: it runs from 0.3 to 0.30000000000000004");
  const Vector values = (Vector(4) << 1e15, 1e15 + 0.125, 1e15, 1e15).finished();
  EXPECT_EQ(error_for(with_column(values)),
            "column 'a' is constant but for rounding: it runs from 1000000000000000 to "
            "1000000000000000.1");
}

TEST(Standardisation, TinyAndHugeValuesNeitherUnderflowNorOverflow) {
  for (const double unit : {1e-310, 1e-200, 1e200, 1e307}) {
    const Vector values = unit * (Vector(4) << 1, 2, 3, 6).finished();
    const Standardisation s = standardisation_of(with_column(values));
    EXPECT_NEAR(s.x_mean[0] / unit, 3, 1e-12);
    EXPECT_NEAR(s.x_sd[0] / unit, std::sqrt(14.0 / 3), 1e-12);
    EXPECT_NEAR(s.scale_x(values).squaredNorm(), 3, 1e-12);
  }
}

TEST(Standardisation, RefusesARangeBeyondDouble) {
  EXPECT_EQ(error_for(with_column((Vector(3) << -1e308, 0, 1e308).finished())),
            "column 'a' is too wide to standardise: it runs from -1e+308 to 1e+308");
}

TEST(Standardisation, TakesAColumnThatIsZeroButForOneRow) {
  Vector values = Vector::Zero(100'000);
  values[77] = 1e-8;
  const Standardisation s = standardisation_of(with_column(values));
  EXPECT_NEAR(s.x_sd[0], 1e-8 / std::sqrt(1e5), 1e-15);
}

TEST(Standardisation, NeedsTwoRows) {
  EXPECT_EQ(error_for(with_column(Vector::Constant(1, 5))),
            "to standardise takes two rows or more, there is 1");
  EXPECT_EQ(error_for(with_column(Vector())), "to standardise takes two rows or more, there are 0");
}

TEST(Standardisation, RefusesDataAndShapesThatDoNotFit) {
  const Dataset data = random_data(10, 3);
  Dataset broken = data;
  broken.y.conservativeResize(9);
  EXPECT_THROW(standardisation_of(broken), std::invalid_argument);
  broken = data;
  broken.features.pop_back();
  EXPECT_THROW(standardisation_of(broken), std::invalid_argument);
  broken = data;
  broken.x(4, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(standardisation_of(broken), std::invalid_argument);
  EXPECT_THROW(scaled(data, identity_standardisation(2)), std::invalid_argument);
  EXPECT_THROW(identity_standardisation(4).unscale_x(data.x), std::invalid_argument);
}

}  // namespace
}  // namespace ulisse
