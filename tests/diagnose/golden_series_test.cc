// Numbers along a chain, against coda and R.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "golden.h"
#include "ulisse/diagnose.h"

namespace ulisse::diagnose {
namespace {

using testing::expect_equal;
using testing::expected;
using testing::golden_draws;

void expect_series(const Vector& ours, const std::string& name, const std::string& quantity) {
  const auto& theirs = expected(name, quantity);
  ASSERT_EQ(ours.size(), static_cast<Index>(theirs.size())) << name << "." << quantity;
  for (Index i = 0; i < ours.size(); ++i) {
    expect_equal(ours[i], theirs[i], fmt::format("{}.{}[{}]", name, quantity, i), 1);
  }
}

void expect_path(const std::vector<PsrfPoint>& path, const std::string& name,
                 const std::string& label) {
  const auto count = static_cast<Index>(path.size());
  Vector last(count), estimate(count), upper(count);
  for (Index i = 0; i < count; ++i) {
    last[i] = static_cast<double>(path[i].last);
    estimate[i] = path[i].psrf.estimate;
    upper[i] = path[i].psrf.upper;
  }
  expect_series(last, name, label + "_last");
  expect_series(estimate, name, label + "_estimate");
  expect_series(upper, name, label + "_upper");
}

TEST(GoldenSeries, ThePathOfThePsrfIsThatOfGelmanPlot) {
  for (const char* name : {"good", "slow", "shifted", "cauchy"}) {
    const Matrix draws = golden_draws(name);
    expect_path(psrf_path(draws), name, "path_half");
    expect_path(psrf_path(draws, {.discard_half = false}), name, "path_all");
  }
}

TEST(GoldenSeries, ThePathTakesAnyNumberOfBins) {
  const Matrix draws = golden_draws("odd");
  expect_path(psrf_path(draws, {}, 7), "odd", "path_half");
  expect_path(psrf_path(draws, {.discard_half = false}, 7), "odd", "path_all");
}

TEST(GoldenSeries, RunningMeansAndDeviationsAreThoseOfEachBeginning) {
  for (const char* name : {"odd", "antithetic", "short11"}) {
    const Matrix draws = golden_draws(name);
    expect_series(running_mean(draws).rightCols(1), name, "running_mean");
    expect_series(running_sd(draws).rightCols(1), name, "running_sd");
  }
}

TEST(GoldenSeries, AutocorrelationsAreThoseOfAcf) {
  for (const char* name : {"odd", "antithetic", "short11"}) {
    expect_series(autocorrelation(golden_draws(name).rightCols(1), 60), name, "acf");
  }
  expect_series(autocorrelation(golden_draws("constant").col(0), 5), "constant", "acf");
}

}  // namespace
}  // namespace ulisse::diagnose
