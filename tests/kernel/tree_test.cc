// Trees over points and products by them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "kernel/simd/tiles.h"
#include "kernel/tree/node_bounds.h"
#include "kernel/tree/point_tree.h"
#include "kernel/tree/pruning.h"
#include "kernel/tree/tree_operator.h"
#include "support/random_points.h"
#include "ulisse/covariance.h"

namespace ulisse {
namespace {

using testing::normal_matrix;

using Builder = PointTree (*)(const ConstBlock&);

// Clusters of very different width, and points that are equal.
Matrix clustered_points(Index n, Index d) {
  Matrix x = normal_matrix(n, d, 1);
  for (Index i = 0; i < n; ++i) {
    if (i % 3 == 0) x.row(i) = 0.01 * x.row(i).array() + 5;
    if (i % 7 == 0) x.row(i).setConstant(-3);
  }
  return x;
}

class Trees : public ::testing::TestWithParam<std::pair<const char*, Builder>> {
 protected:
  PointTree build(const Matrix& x) const { return GetParam().second(x); }
};

TEST_P(Trees, EveryPointHasOnePlace) {
  for (const Index n : {1, 2, 48, 49, 96, 97, 1000, 3001}) {
    const Matrix x = clustered_points(n, 3);
    const PointTree tree = build(x);
    std::multiset<Index> seen;
    for (std::size_t i = 0; i < tree.slots.size(); ++i) {
      if (tree.occupied[i] != 0) seen.insert(tree.slots[i]);
    }
    ASSERT_EQ(static_cast<Index>(seen.size()), n);
    ASSERT_EQ(static_cast<Index>(std::set<Index>(seen.begin(), seen.end()).size()), n);
    const Indices places = tree.places();
    ASSERT_EQ(static_cast<Index>(places.size()), n);
    for (Index i = 0; i < n; ++i) ASSERT_EQ(tree.slots[static_cast<std::size_t>(places[i])], i);
  }
}

TEST_P(Trees, NodesHaveTheTilesOfTheirChildren) {
  const PointTree tree = build(clustered_points(3001, 3));
  EXPECT_EQ(tree.nodes[0].first_tile, 0);
  EXPECT_EQ(tree.nodes[0].end_tile, tree.tiles());
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const TreeNode& node = tree.nodes[i];
    if (node.leaf()) {
      EXPECT_EQ(node.tiles(), 1);
      continue;
    }
    ASSERT_GT(node.left, static_cast<Index>(i));
    ASSERT_GT(node.right, static_cast<Index>(i));
    const TreeNode &left = tree.nodes[static_cast<std::size_t>(node.left)],
                   &right = tree.nodes[static_cast<std::size_t>(node.right)];
    EXPECT_EQ(left.first_tile, node.first_tile);
    EXPECT_EQ(left.end_tile, right.first_tile);
    EXPECT_EQ(right.end_tile, node.end_tile);
  }
}

TEST_P(Trees, EqualPointsDoNotEndInARecursionWithoutEnd) {
  const PointTree tree = build(Matrix::Constant(1000, 2, 3.5));
  EXPECT_EQ(tree.places().size(), 1000u);
  EXPECT_EQ(tree.tiles(), 21);
}

// Tiles that are mostly padding would make a product of all pairs many times slower.
TEST_P(Trees, TilesAreWellFilled) {
  const PointTree tree = build(normal_matrix(5000, 2, 3));
  EXPECT_LT(tree.tiles() * simd::kTile, 2.2 * 5000);
}

TEST_P(Trees, TheSameTreeEachTime) {
  const Matrix x = clustered_points(2000, 3);
  EXPECT_EQ(build(x).slots, build(x).slots);
}

INSTANTIATE_TEST_SUITE_P(All, Trees,
                         ::testing::Values(std::pair("kd", &build_kd_tree),
                                           std::pair("anchors", &build_anchors_tree)),
                         [](const auto& tree) { return std::string(tree.param.first); });

// All pairs of some nodes' points, against the bounds.
template <class Bounds>
void expect_bounds_hold(const PointTree& tree, const Matrix& x) {
  const Vector tau = Vector::LinSpaced(x.cols(), 0.5, 2);
  const TiledPoints<double> points(tree.points_in_order(x), tau, Shape::rbf);
  const Bounds bounds(tree, points);
  const double scale = simd::coordinate_scale(Shape::rbf);
  const Matrix scaled =
      tree.points_in_order(x) * (scale * tau.array().sqrt().matrix()).asDiagonal();
  const auto count = static_cast<Index>(tree.nodes.size());
  for (Index a = 0; a < count; a += 3) {
    for (Index b = a; b < count; b += 5) {
      const TreeNode &first = tree.nodes[static_cast<std::size_t>(a)],
                     &second = tree.nodes[static_cast<std::size_t>(b)];
      const SquaredRange range = bounds.between(a, b);
      double least = INFINITY, largest = 0;
      for (Index i = first.first_tile * simd::kTile; i < first.end_tile * simd::kTile; ++i) {
        for (Index j = second.first_tile * simd::kTile; j < second.end_tile * simd::kTile; ++j) {
          const double s = (scaled.row(i) - scaled.row(j)).squaredNorm();
          least = std::min(least, s);
          largest = std::max(largest, s);
        }
      }
      ASSERT_LE(range.least, least * (1 + 1e-12) + 1e-14) << a << " and " << b;
      ASSERT_GE(range.largest, largest * (1 - 1e-12)) << a << " and " << b;
    }
  }
}

TEST(NodeBounds, BoxesHoldAllDistances) {
  const Matrix x = clustered_points(700, 3);
  expect_bounds_hold<BoxBounds>(build_kd_tree(x), x);
}

TEST(NodeBounds, BallsHoldAllDistances) {
  const Matrix x = clustered_points(700, 3);
  expect_bounds_hold<BallBounds>(build_anchors_tree(x), x);
}

class Prunings : public ::testing::TestWithParam<Shape> {};

TEST_P(Prunings, WhatIsNegligibleIsBelowTheTolerance) {
  const double scale = std::pow(simd::coordinate_scale(GetParam()), 2);
  for (const double tolerance : {0.3, 1e-2, 1e-6, 1e-10, 1e-14}) {
    const Pruning pruning(GetParam(), tolerance);
    bool all = true;
    for (double s = 1e-3; s < 2000; s *= 1.01) {
      if (!pruning.negligible({s * scale, 1e9})) {
        all = false;
        continue;
      }
      for (double beyond = s; beyond < 100 * s; beyond *= 1.1) {
        const auto [value, slope] = evaluate(GetParam(), beyond);
        ASSERT_LE(value, tolerance * (1 + 1e-9)) << s;
        ASSERT_LE(std::abs(slope) * beyond, tolerance * (1 + 1e-9)) << s;
      }
    }
    EXPECT_FALSE(all);
    EXPECT_TRUE(pruning.negligible({3000 * scale, 1e9}));  // and what is far enough is negligible
  }
}

TEST_P(Prunings, ValuesThatAreAlikeAreWithinTheTolerance) {
  const double scale = std::pow(simd::coordinate_scale(GetParam()), 2);
  const Pruning pruning(GetParam(), 1e-3);
  int alike = 0;
  for (double s = 1e-6; s < 20; s *= 1.2) {
    for (double width = 1; width < 3; width *= 1.0005) {
      double value = 0;
      if (!pruning.alike({s * scale, s * width * scale}, value)) continue;
      ++alike;
      for (const double at : {s, s * std::sqrt(width), s * width}) {
        const double k = evaluate(GetParam(), at).value;
        ASSERT_LE(std::abs(k - value), 1e-3 * (1 + k) * (1 + 1e-9)) << s << " " << width;
      }
    }
  }
  EXPECT_GT(alike, 50);
}

INSTANTIATE_TEST_SUITE_P(All, Prunings,
                         ::testing::Values(Shape::rbf, Shape::matern12, Shape::matern32,
                                           Shape::matern52));

Vector psi_of(double sigma, double tau, double lambda) {
  return Eigen::Vector3d(std::log(sigma), std::log(tau), std::log(lambda));
}

// With a coarse tolerance errors are there to be seen, and stay below the bound for each element:
// tolerance (sigma |x|_1 + K |x|).
class TreeProductsTest : public ::testing::TestWithParam<const char*> {};

TEST_P(TreeProductsTest, ErrorsStayBelowTheBoundOfEachElement) {
  const Index n = 2000;
  const Matrix x = clustered_points(n, 2), v = normal_matrix(n, 3, 5);
  for (const char* kernel : {"rbf", "matern12", "matern32", "matern52"}) {
    double seen = 0;
    for (const double tau : {0.001, 0.1, 1.0, 30.0}) {
      const Vector psi = psi_of(1.7, tau, 0.1);
      const Kernel k = parse_kernel(kernel);
      const double tolerance = 1e-3;
      const auto tree =
          make_covariance(k, x, {.backend = GetParam(), .tolerance = tolerance})->at(psi);
      const auto dense = make_covariance(k, x, {.backend = "dense"})->at(psi);
      Matrix y(n, 3), exact(n, 3), sizes(n, 3);
      tree->apply(v, y);
      dense->apply(v, exact);
      dense->apply(v.cwiseAbs(), sizes);
      for (Index c = 0; c < 3; ++c) {
        const Vector bound =
            tolerance * (1.7 * v.col(c).lpNorm<1>() + sizes.col(c).array()).matrix();
        ASSERT_TRUE(((y.col(c) - exact.col(c)).cwiseAbs().array() <= bound.array()).all())
            << kernel << ", tau " << tau;
      }
      seen = std::max(seen, (y - exact).cwiseAbs().maxCoeff());
      const Vector forms = tree->gradient_forms(v, v), exact_forms = dense->gradient_forms(v, v);
      double scale = 0;
      for (Index c = 0; c < 3; ++c) scale += std::pow(v.col(c).lpNorm<1>(), 2);
      EXPECT_LE((forms - exact_forms).cwiseAbs().maxCoeff(), 1.7 * tolerance * scale);
    }
    EXPECT_GT(seen, 1e-6) << kernel << ": nothing was left out";
  }
}

TEST_P(TreeProductsTest, ShortLengthScalesLeaveOutMostPairs) {
  const Matrix x = normal_matrix(6000, 2, 6);
  const Kernel kernel;
  const auto k = make_covariance(kernel, x, {.backend = GetParam(), .tolerance = 1e-6})
                     ->at(psi_of(1, 400, 0.1));
  EXPECT_LT(dynamic_cast<const TreeProducts&>(k->kernel()).pairs_computed(), 0.25 * 6000 * 6000);
  // Near points are not left out, and neither are all.
  EXPECT_GT(dynamic_cast<const TreeProducts&>(k->kernel()).pairs_computed(), 6000 * 48);
}

TEST_P(TreeProductsTest, ATightToleranceIsExact) {
  const Matrix x = clustered_points(900, 2), v = normal_matrix(900, 2, 5);
  const Kernel kernel{Shape::matern32, false};
  const Vector psi = psi_of(1, 2, 0.1);
  Matrix y(900, 2), exact(900, 2);
  make_covariance(kernel, x, {.backend = GetParam(), .tolerance = 0})->at(psi)->apply(v, y);
  make_covariance(kernel, x, {.backend = "dense"})->at(psi)->apply(v, exact);
  EXPECT_LT((y - exact).cwiseAbs().maxCoeff(), 1e-12 * v.col(0).lpNorm<1>());
}

TEST_P(TreeProductsTest, ANegativeToleranceIsRefused) {
  EXPECT_ANY_THROW(
      make_covariance(Kernel(), normal_matrix(10, 1, 1), {.backend = GetParam(), .tolerance = -1}));
}

INSTANTIATE_TEST_SUITE_P(All, TreeProductsTest, ::testing::Values("kdtree", "anchors"));

TEST(ChooseBackend, TakesATreeWhereMostPairsAreNegligible) {
  const Matrix x = normal_matrix(8000, 2, 8);
  const BackendChoice choice =
      choose_backend(make_model(Kernel(), x.cols()), x, psi_of(1, 2000, 0.1), {.tolerance = 1e-6});
  EXPECT_TRUE(choice.backend == "kdtree" || choice.backend == "anchors") << choice.reason;
  EXPECT_NE(choice.reason.find("dense"), std::string::npos) << choice.reason;
}

TEST(ChooseBackend, TakesNoTreeWhereAllPointsMatter) {
  const Matrix x = normal_matrix(3000, 8, 8);
  const BackendChoice choice =
      choose_backend(make_model(Kernel(), x.cols()), x, psi_of(1, 0.1, 0.1));
  EXPECT_TRUE(choice.backend == "cached" || choice.backend == "dense") << choice.reason;
}

TEST(ChooseBackend, KeepsWithinMemory) {
  const Matrix x = normal_matrix(500, 3, 8);
  EXPECT_EQ(
      choose_backend(make_model(Kernel(), x.cols()), x, psi_of(1, 0.1, 0.1), {.memory_bytes = 1})
          .backend,
      "dense");
}

TEST(AutoCovariance, ChoosesOnceAndSaysWhat) {
  const Matrix x = normal_matrix(500, 3, 8);
  const auto covariance = make_covariance(Kernel(), x, {.memory_bytes = 1});
  EXPECT_EQ(covariance->backend(), "auto");
  Matrix y(500, 1), exact(500, 1);
  const Matrix v = normal_matrix(500, 1, 9);
  covariance->at(psi_of(1, 0.1, 0.1))->apply(v, y);
  EXPECT_EQ(covariance->backend(), "dense");
  make_covariance(Kernel(), x, {.backend = "dense"})->at(psi_of(1, 0.1, 0.1))->apply(v, exact);
  EXPECT_EQ(y, exact);
}

}  // namespace
}  // namespace ulisse
