// Products whose tasks are split among several, in any way, have the same bits.

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "kernel/dense.h"
#include "kernel/tiled_product.h"
#include "support/random_points.h"
#include "support/thread_counts.h"

namespace ulisse {
namespace {

using testing::normal_matrix;

template <class T>
class ProductSums : public ::testing::Test {
 protected:
  Matrix product(const Matrix& v, Index parts) const {
    const PackedRows<T> packed(v);
    const auto source = [&](Index i, Index j, T* scratch) {
      op_.kernel().values(i, j, scratch);
      return scratch;
    };
    GridSums all = product_sums(packed, {0, parts}, source);
    for (Index part = parts - 1; part > 0; --part) {  // not in their order
      GridSums sums = product_sums(packed, {part, parts}, source);
      for (std::size_t w = 0; w < sums.words().size(); ++w) all.words()[w] += sums.words()[w];
    }
    Matrix y(v.rows(), v.cols());
    write_product(op_.variance(), packed, all, y);
    return y;
  }

  const Matrix x_ = normal_matrix(1500, 3, 1);
  const Vector psi_ = Vector{{0.3, -0.7}};
  const DenseOperator<T> op_{Kernel(Shape::matern32), x_, psi_};
};
using Types = ::testing::Types<double, float>;
TYPED_TEST_SUITE(ProductSums, Types);

TYPED_TEST(ProductSums, AnyNumberOfPartsGivesTheSameBits) {
  Matrix v = normal_matrix(1500, 5, 2);
  v.col(1) *= 1e-300;
  v.col(2) *= 1e300;
  for (Index i = 0; i < v.rows(); ++i) v(i, 3) *= std::exp2(-double(i % 90));
  Matrix whole(1500, 5);
  this->op_.apply(v, whole);
  for (const Index parts : {1, 2, 3, 7, 64, 5000}) {
    EXPECT_EQ(this->product(v, parts), whole) << parts << " parts";
  }
  EXPECT_TRUE(whole.allFinite());
}

TYPED_TEST(ProductSums, PartsOnAnyThreadsGiveTheSameBits) {
  const Matrix v = normal_matrix(1500, 9, 3);
  testing::expect_same_bits_on_any_threads([&] { return this->product(v, 3); });
}

TYPED_TEST(ProductSums, WhatIsNoNumberPassesThroughItsColumnAlone) {
  Matrix v = normal_matrix(1500, 4, 4), clean = v, y(1500, 4), expected(1500, 4);
  v(77, 1) = std::numeric_limits<double>::infinity();
  v(78, 2) = std::numeric_limits<double>::quiet_NaN();
  this->op_.apply(v, y);
  this->op_.apply(clean, expected);
  EXPECT_EQ(y.col(0), expected.col(0));
  EXPECT_EQ(y.col(3), expected.col(3));
  EXPECT_EQ(y(77, 1), v(77, 1));
  EXPECT_FALSE(y.col(1).array().isFinite().any());
  EXPECT_TRUE(y.col(2).array().isNaN().all());
}

}  // namespace
}  // namespace ulisse
