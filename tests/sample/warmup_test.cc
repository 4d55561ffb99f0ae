// What warm-up learns: step size, metric, and when.

#include <gtest/gtest.h>

#include "sample/nuts.h"
#include "support/chains.h"
#include "support/densities.h"

namespace ulisse {
namespace {

using testing::advance;
using testing::correlated_gaussian;
using testing::Gaussian;

// Last iterations of the windows of a warm-up.
std::vector<int> window_ends(int warmup) {
  AdaptationWindows windows(warmup);
  std::vector<int> ends;
  for (int i = 0; i < warmup; ++i) {
    if (!windows.closes_after(i)) continue;
    ends.push_back(i);
    windows.open_next();
  }
  return ends;
}

// CmdStan's: 75 iterations, windows of 25, 50, 100, 200 and 500, and 50 iterations.
TEST(AdaptationWindows, AThousandIterationsAreCutAsInStan) {
  EXPECT_EQ(window_ends(1000), (std::vector<int>{99, 149, 249, 449, 949}));
}

TEST(AdaptationWindows, AWindowTakesWhatIsTooShortForTheNext) {
  EXPECT_EQ(window_ends(150), (std::vector<int>{99}));
  EXPECT_EQ(window_ends(199), (std::vector<int>{148}));
  EXPECT_EQ(window_ends(200), (std::vector<int>{99, 149}));
}

TEST(AdaptationWindows, ShortWarmupsHaveOneWindowAndTheShortestNone) {
  EXPECT_EQ(window_ends(100), (std::vector<int>{89}));
  EXPECT_EQ(window_ends(20), (std::vector<int>{17}));
  for (const int warmup : {0, 1, 10, 19}) EXPECT_TRUE(window_ends(warmup).empty()) << warmup;
}

TEST(AdaptationWindows, TheFirstIterationsTeachNothing) {
  const AdaptationWindows windows(1000);
  EXPECT_FALSE(windows.inside(74));
  EXPECT_TRUE(windows.inside(75));
  EXPECT_TRUE(windows.inside(949));
  EXPECT_FALSE(windows.inside(950));
}

// Acceptance exp(-step), known and noiseless: 0.8 is accepted at step -log 0.8.
TEST(DualAveraging, FindsTheStepOfTheWantedAcceptance) {
  for (const double target : {0.6, 0.8, 0.95}) {
    DualAveraging averaging(target);
    averaging.restart(5);
    double step = 5;
    for (int i = 0; i < 2000; ++i) step = averaging.next(std::exp(-step));
    EXPECT_NEAR(std::exp(-averaging.average()), target, 0.01);
  }
}

TEST(RunningCovariance, EqualsTheCovarianceShrunkByFiveDraws) {
  const Matrix draws = testing::normal_matrix(40, 3, 1) * testing::normal_matrix(3, 3, 2);
  RunningCovariance running(3);
  for (Index i = 0; i < 40; ++i) running.add(draws.row(i).transpose());
  const Matrix centred = draws.rowwise() - draws.colwise().mean();
  const Matrix expected =
      40.0 / 45 * centred.transpose() * centred / 39 + 5.0 / 45 * 1e-3 * Matrix::Identity(3, 3);
  EXPECT_LT((running.regularised_covariance() - expected).norm(), 1e-13);
  EXPECT_LT((running.mean() - draws.colwise().mean().transpose()).norm(), 1e-14);
}

// Mean acceptance from iteration `begin` to `end`.
double mean_acceptance(Nuts<Gaussian>& nuts, int begin, int end) {
  double sum = 0;
  for (int i = begin; i < end; ++i) sum += advance(nuts, 3, i).accept_stat;
  return sum / (end - begin);
}

// Over the longest window, where it is the varying step that is held to its target. The average of
// steps that is kept accepts more than that (docs/method/design.md).
TEST(Nuts, WarmupReachesTheWantedAcceptance) {
  const Gaussian target = correlated_gaussian(3);
  for (const double wanted : {0.6, 0.8, 0.95}) {
    Nuts nuts(target, target.mean(), Matrix::Identity(3, 3), {.target_acceptance = wanted});
    mean_acceptance(nuts, 0, 550);
    EXPECT_NEAR(mean_acceptance(nuts, 550, 950), wanted, 0.02);
    mean_acceptance(nuts, 950, 1000);
    EXPECT_GT(mean_acceptance(nuts, 1000, 3000), wanted - 0.04);
  }
}

TEST(Nuts, NothingIsLearntAfterWarmup) {
  const Gaussian target = correlated_gaussian(3);
  Nuts nuts(target, target.mean(), Matrix::Identity(3, 3), {.warmup = 200});
  mean_acceptance(nuts, 0, 200);
  EXPECT_FALSE(nuts.warming_up());
  const double step_size = nuts.step_size();
  const Matrix covariance = nuts.covariance();
  for (int i = 200; i < 600; ++i) EXPECT_EQ(advance(nuts, 3, i).step_size, step_size);
  EXPECT_EQ(nuts.covariance(), covariance);
}

// 500 draws of the last window estimate the covariance to some 10 %.
TEST(Nuts, WarmupLearnsTheCovariance) {
  const Gaussian target = correlated_gaussian(10);
  Nuts nuts(target, target.mean(), Matrix::Identity(10, 10));
  mean_acceptance(nuts, 0, 1000);
  const Matrix& learnt = nuts.covariance();
  const Matrix factor = target.covariance().llt().matrixL();
  const Matrix inverse = factor.inverse();
  const Matrix ratio = inverse * learnt * inverse.transpose();
  EXPECT_LT((ratio - Matrix::Identity(10, 10)).norm() / std::sqrt(10.0), 0.4);
}

// With the right metric trajectories are short from the first iteration on.
TEST(Nuts, AGoodMetricToStartWithSavesGradients) {
  const Gaussian target = correlated_gaussian(10);
  const auto gradients = [&](const Matrix& metric) {
    Nuts nuts(target, target.mean(), metric);
    int sum = 0;
    for (int i = 0; i < 75; ++i) sum += advance(nuts, 4, i).leapfrogs;
    return sum;
  };
  EXPECT_LT(2 * gradients(target.covariance()), gradients(Matrix::Identity(10, 10)));
}

}  // namespace
}  // namespace ulisse
