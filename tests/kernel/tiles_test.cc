// Every instruction set this machine can run, against plain loops.

#include "kernel/simd/tiles.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cmath>
#include <limits>
#include <random>

#include "base/aligned.h"

namespace ulisse::simd {
namespace {

template <class T>
AlignedVector<T> random_values(Index count, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  AlignedVector<T> values(static_cast<std::size_t>(count));
  for (T& v : values) v = static_cast<T>(normal(generator));
  return values;
}

// Calls f once for each target that was compiled and that this machine has.
template <class F>
void for_each_target(const F& f) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::GetChosenTarget().Update(target);
    ASSERT_STREQ(target_name(), hwy::TargetName(target));
    SCOPED_TRACE(target_name());
    f();
  }
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

constexpr Shape kShapes[] = {Shape::rbf, Shape::matern12, Shape::matern32, Shape::matern52};

template <class T>
class Tiles : public ::testing::Test {
 protected:
  static constexpr double kEpsilon = std::numeric_limits<T>::epsilon();

  // The shape at t, the squared distance in scaled coordinates.
  static ValueAndSlope at(Shape shape, double t) {
    const double scale2 = coordinate_scale(shape) * coordinate_scale(shape);
    const auto [value, slope] = evaluate(shape, t / scale2);
    return {value, slope / scale2};
  }
};
using Types = ::testing::Types<double, float>;
TYPED_TEST_SUITE(Tiles, Types);

TYPED_TEST(Tiles, ExponentialIsRightToTwoUnitsInTheLastPlace) {
  using T = TypeParam;
  for_each_target([&] {
    for (int start = 0; start < (sizeof(T) == 8 ? 1500 : 500); start += kTile) {
      AlignedVector<T> origin(kTile), x(kTile), k(kTileSize);
      for (Index b = 0; b < kTile; ++b) x[b] = static_cast<T>((double(start) + double(b)) / 47);
      tile_ops<T>().values(Shape::rbf, 1, origin.data(), x.data(), k.data());
      for (Index b = 0; b < kTile; ++b) {
        const T squared = x[b] * x[b];  // rounds as the kernel's fused operation on 0 does
        const double exact = std::exp2(-static_cast<double>(squared));
        const double limit = sizeof(T) == 8 ? 1022 : 126;
        if (squared > limit) {
          EXPECT_EQ(k[b], T(0));
        } else {
          EXPECT_NEAR(k[b], exact, 2 * this->kEpsilon * exact) << "2^-" << squared;
        }
      }
    }
  });
}

TYPED_TEST(Tiles, ValuesAreTheShapesOfDistances) {
  using T = TypeParam;
  for_each_target([&] {
    for (const Shape shape : kShapes) {
      for (const Index d : {1, 3, 17}) {
        const auto xi = random_values<T>(d * kTile, 1), xj = random_values<T>(d * kTile, 2);
        AlignedVector<T> k(kTileSize);
        tile_ops<T>().values(shape, d, xi.data(), xj.data(), k.data());
        for (Index a = 0; a < kTile; ++a) {
          for (Index b = 0; b < kTile; ++b) {
            double t = 0;
            for (Index c = 0; c < d; ++c)
              t += std::pow(double(xi[c * kTile + a]) - double(xj[c * kTile + b]), 2);
            ASSERT_NEAR(k[a * kTile + b], this->at(shape, t).value,
                        double(20 + d) * this->kEpsilon);
          }
        }
      }
    }
  });
}

// One point at the origin, the others where squares overflow, vanish, or are not numbers.
TYPED_TEST(Tiles, ExtremeDistancesHaveTheirLimits) {
  using T = TypeParam;
  const T largest = std::numeric_limits<T>::max(), least = std::numeric_limits<T>::min();
  const T nan = std::numeric_limits<T>::quiet_NaN();
  for_each_target([&] {
    for (const Shape shape : kShapes) {
      AlignedVector<T> origin(kTile), x(kTile), k(kTileSize);
      x[1] = largest / 2;
      x[2] = least;
      x[3] = static_cast<T>(std::sqrt(static_cast<double>(least)));
      x[4] = nan;
      tile_ops<T>().values(shape, 1, origin.data(), x.data(), k.data());
      EXPECT_EQ(k[0], T(1));
      EXPECT_EQ(k[1], T(0));
      EXPECT_NEAR(k[2], T(1), this->kEpsilon);
      EXPECT_NEAR(k[3], T(1), this->kEpsilon);
      if (shape == Shape::rbf) {
        EXPECT_TRUE(std::isnan(k[4]));
      }
    }
  });
}

// Matern values lie on the curve to a few units in the last place of the distance.
TYPED_TEST(Tiles, SquareRootsOfDistancesAreRight) {
  using T = TypeParam;
  for_each_target([&] {
    for (double base = 1e-12; base < 500; base *= 3.7) {
      AlignedVector<T> origin(kTile), x(kTile), k(kTileSize);
      for (Index b = 0; b < kTile; ++b) x[b] = static_cast<T>(base * (1 + double(b) / 47));
      tile_ops<T>().values(Shape::matern12, 1, origin.data(), x.data(), k.data());
      for (Index b = 0; b < kTile; ++b) {
        const double r = x[b], exact = std::exp2(-r);
        if (r > (sizeof(T) == 8 ? 1000 : 120)) continue;
        EXPECT_NEAR(k[b], exact, (4 + 2 * r) * this->kEpsilon * exact) << "2^-" << r;
      }
    }
  });
}

TYPED_TEST(Tiles, MultiplyAddsBothHalves) {
  using T = TypeParam;
  for_each_target([&] {
    for (const Index columns : {4, 8, 12, 16, 28}) {
      const auto k = random_values<T>(kTileSize, 3);
      const auto vi = random_values<T>(kTile * columns, 4),
                 vj = random_values<T>(kTile * columns, 5);
      AlignedVector<double> yi(kTile * columns, 1.0), yj(kTile * columns, 2.0);
      tile_ops<T>().multiply(k.data(), columns, vi.data(), vj.data(), yi.data(), yj.data());
      for (Index a = 0; a < kTile; ++a) {
        for (Index c = 0; c < columns; ++c) {
          double expected_i = 1, expected_j = 2;
          for (Index b = 0; b < kTile; ++b) {
            expected_i += double(k[a * kTile + b]) * double(vj[b * columns + c]);
            expected_j += double(k[b * kTile + a]) * double(vi[b * columns + c]);
          }
          ASSERT_NEAR(yi[a * columns + c], expected_i, 200 * this->kEpsilon);
          ASSERT_NEAR(yj[a * columns + c], expected_j, 200 * this->kEpsilon);
        }
      }
    }
  });
}

TYPED_TEST(Tiles, ContractSumsWeightedValuesAndSlopes) {
  using T = TypeParam;
  for_each_target([&] {
    for (const Shape shape : kShapes) {
      for (const Index d : {2, 18}) {
        const auto xi = random_values<T>(d * kTile, 6), xj = random_values<T>(d * kTile, 7);
        const auto weights = random_values<T>(kTileSize, 8);
        Vector expected = Vector::Zero(d + 1);
        for (Index a = 0; a < kTile; ++a) {
          for (Index b = 0; b < kTile; ++b) {
            Vector squared(d);
            for (Index c = 0; c < d; ++c)
              squared(c) = std::pow(double(xi[c * kTile + a]) - double(xj[c * kTile + b]), 2);
            const auto [value, slope] = this->at(shape, squared.sum());
            const double weight = weights[a * kTile + b];
            expected(0) += weight * value;
            expected.tail(d) += weight * slope * squared;
          }
        }
        const auto& ops = tile_ops<T>();
        auto k = weights, s = weights, w = weights;
        Vector sums = Vector::Zero(d + 1);
        ops.slopes(shape, d, false, xi.data(), xj.data(), k.data(), s.data());
        ops.contract_by_coordinate(d, xi.data(), xj.data(), k.data(), s.data(), w.data(),
                                   sums.data());
        EXPECT_LE((sums - expected).template lpNorm<Eigen::Infinity>(), 4000 * this->kEpsilon);
        Vector total = Vector::Zero(2);
        ops.slopes(shape, d, true, xi.data(), xj.data(), k.data(), s.data());
        ops.contract(k.data(), s.data(), weights.data(), total.data());
        EXPECT_NEAR(total(0), expected(0), 4000 * this->kEpsilon);
        EXPECT_NEAR(total(1), expected.tail(d).sum(), 4000 * this->kEpsilon);
      }
    }
  });
}

TYPED_TEST(Tiles, OuterIsTheSumOfBothOrders) {
  using T = TypeParam;
  for_each_target([&] {
    const Index columns = 5;
    const auto ui = random_values<T>(kTile * columns, 9),
               vi = random_values<T>(kTile * columns, 10);
    const auto uj = random_values<T>(kTile * columns, 11),
               vj = random_values<T>(kTile * columns, 12);
    for (const bool symmetric : {false, true}) {
      AlignedVector<T> w(kTileSize);
      tile_ops<T>().outer(columns, symmetric, ui.data(), vi.data(), uj.data(), vj.data(), w.data());
      for (Index a = 0; a < kTile; ++a) {
        for (Index b = 0; b < kTile; ++b) {
          double expected = 0;
          for (Index c = 0; c < columns; ++c) {
            expected += double(ui[c * kTile + a]) * double(vj[c * kTile + b]);
            if (symmetric) expected += double(vi[c * kTile + a]) * double(uj[c * kTile + b]);
          }
          ASSERT_NEAR(w[a * kTile + b], expected, 100 * this->kEpsilon);
        }
      }
    }
  });
}

}  // namespace
}  // namespace ulisse::simd
