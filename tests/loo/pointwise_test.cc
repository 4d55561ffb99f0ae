// Against R's loo 2.5.1 on the same matrix; golden/make_golden.R says how it was made.

#include "loo/pointwise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "diagnose/pareto_smoothing.h"
#include "ulisse/random.h"

namespace ulisse {
namespace {

struct GoldenTable {
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;
};

// The first cells, where they are names, stand in `names`.
GoldenTable golden_table(const std::string& name, bool named) {
  std::ifstream file(ULISSE_TESTS_FOLDER "/loo/golden/" + name + ".csv");
  GoldenTable table;
  std::string line, cell;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    if (named) {
      std::getline(cells, cell, ',');
      table.names.push_back(cell);
    }
    table.rows.emplace_back();
    while (std::getline(cells, cell, ',')) {
      const bool infinite = cell == "Inf";
      table.rows.back().push_back(infinite ? INFINITY : std::strtod(cell.c_str(), nullptr));
    }
  }
  EXPECT_FALSE(table.rows.empty()) << name;
  return table;
}

class LooGolden : public ::testing::Test {
 protected:
  PointwiseLoo found(std::size_t column) const {
    Vector log_density(static_cast<Index>(draws_.rows.size()));
    for (Index s = 0; s < log_density.size(); ++s) {
      log_density(s) = draws_.rows[static_cast<std::size_t>(s)][column];
    }
    return pointwise_loo(log_density, 2);
  }

  const GoldenTable draws_ = golden_table("log_density", false);
  const GoldenTable expected_ = golden_table("expected", true);
};

// R prints 15 digits.
void expect_same(double ours, double theirs, const std::string& what) {
  if (std::isinf(theirs)) {
    EXPECT_EQ(ours, theirs) << what;
  } else {
    EXPECT_NEAR(ours, theirs, 1e-10 * std::max(1.0, std::abs(theirs))) << what;
  }
}

TEST_F(LooGolden, PointwiseEstimatesAreThoseOfR) {
  for (std::size_t i = 0; i < expected_.names.size(); ++i) {
    const PointwiseLoo ours = found(i);
    const std::vector<double>& theirs = expected_.rows[i];
    const std::string& name = expected_.names[i];
    if (name != "constant") expect_same(ours.relative_ess, theirs[0], name + " r_eff");
    expect_same(ours.elpd, theirs[1], name + " elpd");
    expect_same(ours.p_loo, theirs[2], name + " p_loo");
    expect_same(ours.pareto_k, theirs[3], name + " k");
    EXPECT_NEAR(ours.weights.sum(), 1, 1e-12) << name;
  }
}

TEST_F(LooGolden, ADensityThatAllDrawsShareHasNoErrorAndNoK) {
  const PointwiseLoo constant = found(expected_.names.size() - 1);
  EXPECT_NEAR(constant.mcse, 0, 1e-12);
  EXPECT_TRUE(std::isnan(constant.relative_ess));
  EXPECT_EQ(constant.pareto_k, INFINITY);
}

// 200 sets of independent draws of log p ~ N(-1, 0.3^2), whose weights have finite variance. The
// estimates' own spread is their mean error but for 10 %: twice the standard error of a
// standard deviation of 200.
TEST(PointwiseLoo, ErrorsAreThoseOfRepeatedEstimates) {
  constexpr Index kSets = 200, kDraws = 400;
  Vector elpd(kSets), mcse(kSets);
  for (Index set = 0; set < kSets; ++set) {
    Rng rng = stream(7, 0, Purpose::simulation, static_cast<std::uint64_t>(set));
    const PointwiseLoo found =
        pointwise_loo((-1 + 0.3 * rng.normal_vector(kDraws).array()).matrix(), 1);
    elpd(set) = found.elpd;
    mcse(set) = found.mcse;
  }
  const double spread = std::sqrt((elpd.array() - elpd.mean()).square().sum() / (kSets - 1));
  EXPECT_NEAR(mcse.mean() / spread, 1, 0.25);
  // E[p w] / E[w] with w = 1/p: 1 / E[1/p] = exp(-1 - 0.3^2 / 2).
  EXPECT_NEAR(elpd.mean(), -1 - 0.5 * 0.09, 5 * spread / std::sqrt(kSets));
}

TEST(GeneralisedPareto, ShapesOfKnownSamplesAreFound) {
  for (const double k : {-0.3, 0.2, 0.7, 1.2}) {
    constexpr Index kSize = 4000;
    Vector x(kSize);
    const diagnose::GeneralisedPareto truth{k, 2};
    for (Index i = 0; i < kSize; ++i) {
      x(i) = truth.quantile((static_cast<double>(i) + 0.5) / kSize);
    }
    const diagnose::GeneralisedPareto found = diagnose::fit_generalised_pareto(x);
    EXPECT_NEAR(found.k, k, 0.03);
    EXPECT_NEAR(found.sigma, 2, 0.1);
  }
}

}  // namespace
}  // namespace ulisse
