// Sums that do not depend on the order of their terms.

#include "base/grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "base/column_scales.h"
#include "base/grid_product.h"
#include "support/random_points.h"
#include "support/thread_counts.h"

namespace ulisse {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double sum_on(const Grid& grid, const std::vector<double>& terms) {
  double high = 0, low = 0;
  for (const double s : terms) grid.add(s, high, low);
  return Grid::sum(high, low);
}

// In `parts` parts, added up afterwards.
double sum_of_parts(const Grid& grid, const std::vector<double>& terms, std::size_t parts) {
  double high = 0, low = 0;
  for (std::size_t part = 0; part < parts; ++part) {
    double part_high = 0, part_low = 0;
    for (std::size_t t = part; t < terms.size(); t += parts) {
      grid.add(terms[t], part_high, part_low);
    }
    high += part_high;
    low += part_low;
  }
  return Grid::sum(high, low);
}

// Of sizes from 1 down to 2^-range, and of both signs.
std::vector<double> terms_of(std::size_t count, double range, std::mt19937_64& generator) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> terms(count);
  for (double& s : terms) s = uniform(generator) * std::exp2(range * (uniform(generator) - 1) / 2);
  return terms;
}

// With their opposites, all but for some digits: what is left of the sum are the last ones.
std::vector<double> that_cancel(std::vector<double> terms) {
  for (std::size_t t = terms.size(); t > 0; --t) terms.push_back(-terms[t - 1] * (1 - 0x1p-45));
  return terms;
}

TEST(Grid, AnyOrderAndAnyPartsGiveTheSameBits) {
  std::mt19937_64 generator(1);
  for (const double range : {0.0, 30.0, 60.0, 120.0, 2000.0}) {
    for (const std::size_t count : {1, 2, 7, 100, 3000}) {
      std::vector<double> terms = that_cancel(terms_of(count, range, generator));
      const Grid grid(2 * static_cast<double>(count), static_cast<Index>(terms.size()));
      const double expected = sum_on(grid, terms);
      for (const std::size_t parts : {2, 3, 7}) {
        std::shuffle(terms.begin(), terms.end(), generator);
        EXPECT_EQ(sum_on(grid, terms), expected) << count << " terms of range " << range;
        EXPECT_EQ(sum_of_parts(grid, terms, parts), expected) << count << " in " << parts;
      }
    }
  }
}

TEST(Grid, SumsAreAsGoodAsThoseInLongDouble) {
  std::mt19937_64 generator(2);
  for (const double range : {0.0, 40.0}) {
    const std::vector<double> terms = terms_of(5000, range, generator);
    long double exact = 0;
    for (const double s : terms) exact += s;
    const double sum = sum_on(Grid(5000, 5000), terms);
    EXPECT_NEAR(sum, static_cast<double>(exact), 4 * std::abs(sum) * 0x1p-53) << range;
  }
}

TEST(Grid, TermsThatAreNoNumbersPassThrough) {
  const Grid grid(100, 100);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(sum_on(grid, {1, kInfinity, 2}), kInfinity);
  EXPECT_EQ(sum_on(grid, {1, -kInfinity, 2}), -kInfinity);
  EXPECT_TRUE(std::isnan(sum_on(grid, {1, kInfinity, -kInfinity})));
  EXPECT_TRUE(std::isnan(sum_on(grid, {nan, 1})));
}

TEST(Grid, ExtremeTermsOfTheBoundAreExact) {
  EXPECT_EQ(sum_on(Grid(3, 3), {1, 0x1p-80, -1}), 0x1p-80);
  EXPECT_EQ(sum_on(Grid(3, 3), {1, 0x1p-1074, -1}), 0);  // below the grid
  EXPECT_EQ(sum_on(Grid(0x1p40, 2), {0x1p39, 0x1p39 - 1}), 0x1p40 - 1);
}

Matrix in_blocks(const Matrix& a, const Matrix& b, const std::vector<Index>& order) {
  GridProduct all(a.rows(), column_scales(a), column_scales(b));
  for (const Index block : order) {
    const Index first = block * GridProduct::kRows;
    const Index rows = std::min(GridProduct::kRows, a.rows() - first);
    GridProduct part(a.rows(), column_scales(a), column_scales(b));
    part.add(a.middleRows(first, rows), b.middleRows(first, rows));
    all.words() += part.words();
  }
  return all.result();
}

TEST(GridProduct, BlocksOfRowsInAnyOrderGiveTheSameBits) {
  const Matrix a = testing::normal_matrix(3500, 70, 3);
  Matrix b = testing::normal_matrix(3500, 3, 4);
  b.col(1) *= 1e-290;
  b.col(2) *= 1e290;
  const Matrix whole = grid_transposed_product(a, column_scales(a), b);
  for (const auto& order : std::vector<std::vector<Index>>{{0, 1, 2, 3}, {3, 1, 0, 2}}) {
    EXPECT_EQ(in_blocks(a, b, order), whole);
  }
  const Matrix plain = a.transpose() * b;
  for (Index c = 0; c < 3; ++c) {
    const double scale = b.col(c).cwiseAbs().maxCoeff();
    EXPECT_LE((whole.col(c) - plain.col(c)).cwiseAbs().maxCoeff(), 1e-12 * scale) << c;
  }
}

TEST(GridProduct, AnyThreadsGiveTheSameBits) {
  const Matrix a = testing::normal_matrix(2100, 200, 5), b = testing::normal_matrix(2100, 8, 6);
  testing::expect_same_bits_on_any_threads(
      [&] { return grid_transposed_product(a, column_scales(a), b); });
}

TEST(GridProduct, ColumnsOfZerosAndOfNoNumbers) {
  Matrix a = testing::normal_matrix(50, 3, 7), b = testing::normal_matrix(50, 2, 8);
  a.col(1).setZero();
  b(7, 1) = kInfinity;
  const Matrix c = grid_transposed_product(a, column_scales(a), b);
  EXPECT_EQ(c(1, 0), 0);
  EXPECT_TRUE(std::isfinite(c(0, 0)));
  EXPECT_FALSE(std::isfinite(c(0, 1)));
}

}  // namespace
}  // namespace ulisse
