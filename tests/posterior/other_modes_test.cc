// Modes besides the highest: which there are, and what they hold.

#include "posterior/other_modes.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/concrete.h"
#include "support/gamma_priors.h"
#include "support/sanitized.h"
#include "ulisse/exact.h"

namespace ulisse {
namespace {

using testing::concrete;

// 30 rows that may be a signal with some noise or noise alone. A search over a grid of starting
// points, and of its own, has the modes at (0.43, 1.53, -0.94) and (-1.65, -0.24, -0.01), with 0.39
// of the mass at the second.
TEST(FindMode, TellsOfAnotherMode) {
  const Dataset raw = read_csv(ULISSE_TESTS_FOLDER "/support/two_modes.csv", {.target = "y"});
  const Dataset data = scaled(raw, standardisation_of(raw));
  const ExactPosterior posterior(make_model(parse_kernel("rbf"), 1, testing::kGammaPriors), data.x,
                                 data.y);
  const Mode mode = find_mode(posterior, data.x, data.y);
  EXPECT_TRUE(mode.converged);
  ASSERT_EQ(mode.other_psi.size(), 3);
  const Vector signal = (Vector(3) << 0.43, 1.53, -0.94).finished();
  const Vector noise = (Vector(3) << -1.65, -0.24, -0.01).finished();
  const bool signal_first = mode.psi(0) > mode.other_psi(0);
  EXPECT_LT(((signal_first ? mode.psi : mode.other_psi) - signal).cwiseAbs().maxCoeff(), 0.02);
  EXPECT_LT(((signal_first ? mode.other_psi : mode.psi) - noise).cwiseAbs().maxCoeff(), 0.02);
  EXPECT_NEAR(signal_first ? mode.other_share : 1 - mode.other_share, 0.39, 0.02);
}

TEST(FindMode, ConcreteHasOneMode) {
  const ExactPosterior posterior(make_model(parse_kernel("rbf"), 8, testing::kGammaPriors),
                                 concrete().x, concrete().y);
  const Mode mode = find_mode(posterior, concrete().x, concrete().y);
  EXPECT_EQ(mode.other_psi.size(), 0);
  EXPECT_EQ(mode.other_share, 0);
}

// nuts on the exact likelihood has two places: one with a density that hardly falls between two
// tops (log tau.3 at -2.22 and, higher by 0.02, at -1.25), and one far from it, with log tau.7 at
// -0.76, where a few per cent of its draws are.
TEST(FindMode, OneTauAnInputIsSearchedForOtherModes) {
  if (testing::kSanitized) GTEST_SKIP() << "takes minutes there";
  const ExactPosterior posterior(make_model(parse_kernel("rbf-ard"), 8, testing::kGammaPriors),
                                 concrete().x, concrete().y);
  const Mode mode = find_mode(posterior, concrete().x, concrete().y);
  EXPECT_TRUE(mode.converged);
  EXPECT_NEAR(mode.log_density, -356.5908, 1e-3);
  EXPECT_NEAR(mode.psi(3), -1.245, 0.01);
  ASSERT_EQ(mode.other_psi.size(), 10);
  EXPECT_NEAR(mode.other_psi(7), -0.761, 0.01);
  EXPECT_NEAR(mode.other_share, 0.011, 0.002);

  const auto top_at = [&](const Vector& psi) {
    return Climb{psi, posterior.log_density(psi).value, true, ""};
  };
  Vector lower(10);
  lower << 0.70, -2.77, -3.06, -2.22, -0.93, -2.39, -2.87, -2.87, -0.09, -2.99;
  const std::vector<Climb> climbs = {top_at(mode.psi), top_at(lower), top_at(mode.other_psi)};
  const auto pieces = joined(posterior, climbs, [](double) {});
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_EQ(pieces[0].size(), 2u);
}

Mode top(double at, double log_density, double sd) {
  return {.psi = Vector::Constant(1, at),
          .log_density = log_density,
          .covariance = Matrix::Constant(1, 1, sd * sd),
          .converged = true};
}

TEST(BestOf, TheHighestTopOrTheHeaviestOfTheHeaviestPiece) {
  const Piece one = {top(1, 0, 0.5), top(2, -0.1, 1)}, other = {top(9, -1, 8)};
  const Mode highest = best_of({one, other}, Top::highest);
  EXPECT_EQ(highest.psi(0), 1);
  EXPECT_EQ(highest.other_psi(0), 9);
  const double here = 0.5 + std::exp(-0.1), there = 8 * std::exp(-1);
  EXPECT_NEAR(highest.other_share, there / (here + there), 1e-12);
  const Mode heaviest = best_of({one, other}, Top::heaviest);
  EXPECT_EQ(heaviest.psi(0), 9);
  EXPECT_EQ(heaviest.other_psi(0), 2);
  EXPECT_NEAR(heaviest.other_share, here / (here + there), 1e-12);
  EXPECT_EQ(best_of({one}, Top::heaviest).psi(0), 2);
}

TEST(BestOf, OfThreePiecesTheSecondHasItsOwnShare) {
  const Mode mode = best_of({{top(1, 0, 1)}, {top(5, -3, 1)}, {top(9, -2, 1)}}, Top::highest);
  const double second = std::exp(-2), third = std::exp(-3);
  EXPECT_EQ(mode.other_psi(0), 9);
  EXPECT_NEAR(mode.second_share, second / (1 + second + third), 1e-12);
  EXPECT_NEAR(mode.other_share, (second + third) / (1 + second + third), 1e-12);
}

TEST(BestOf, WhatIsNoModeHoldsNothing) {
  Mode edge = top(9, 5, 8);
  edge.converged = false;
  EXPECT_EQ(best_of({{top(1, 0, 1)}, {edge}}, Top::highest).other_share, 0);
  edge.covariance.resize(0, 0);
  EXPECT_EQ(best_of({{edge}, {top(1, 0, 1)}}, Top::highest).other_share, 0);
}

}  // namespace
}  // namespace ulisse
