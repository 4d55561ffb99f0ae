// The mode of the posterior: Concrete against METHOD.md, and data that are hard to fit.

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "support/concrete.h"
#include "support/error_message.h"
#include "support/gamma_priors.h"
#include "support/random_points.h"
#include "support/sanitized.h"
#include "support/thread_counts.h"
#include "support/watches.h"
#include "ulisse/exact.h"

namespace ulisse {
namespace {

using testing::concrete;
using testing::concrete_mode;
using testing::normal_matrix;

// METHOD.md, part C.
TEST(ExactPosterior, ConcreteHasTheLogPosteriorOfMethodAtItsMode) {
  const ExactPosterior posterior(make_model(parse_kernel("rbf"), 8, testing::kGammaPriors),
                                 concrete().x, concrete().y);
  EXPECT_NEAR(posterior.log_density(concrete_mode()).value, -445.3185, 1e-3);
}

// The Laplace approximation's deviations are near the posterior's own 0.240, 0.134, 0.0628, and its
// correlations near -0.82, 0.09 and -0.38 (METHOD.md, part C).
TEST(FindMode, FindsTheModeOfConcrete) {
  const ExactPosterior posterior(make_model(parse_kernel("rbf"), 8, testing::kGammaPriors),
                                 concrete().x, concrete().y);
  const Mode mode = find_mode(posterior, concrete().x, concrete().y);
  EXPECT_TRUE(mode.converged) << mode.message;
  EXPECT_LT((mode.psi - concrete_mode()).cwiseAbs().maxCoeff(), 1e-3) << mode.psi.transpose();
  EXPECT_NEAR(mode.log_density, -445.3185, 1e-3);
  EXPECT_LT(mode.gradient.cwiseAbs().maxCoeff(), 1e-3);
  EXPECT_LT(mode.evaluations, 200);
  ASSERT_EQ(mode.covariance.rows(), 3);
  const Vector sd = mode.covariance.diagonal().cwiseSqrt();
  EXPECT_NEAR(sd(0), 0.240, 0.01);
  EXPECT_NEAR(sd(1), 0.134, 0.006);
  EXPECT_NEAR(sd(2), 0.0628, 0.003);
  EXPECT_NEAR(mode.covariance(0, 1) / (sd(0) * sd(1)), -0.82, 0.05);
  EXPECT_NEAR(mode.covariance(0, 2) / (sd(0) * sd(2)), 0.09, 0.05);
  EXPECT_NEAR(mode.covariance(1, 2) / (sd(1) * sd(2)), -0.38, 0.05);
}

// No crash; where it converged, a place that is no worse than its neighbours, else a reason.
void expect_usable(const Mode& mode, const ExactPosterior& posterior) {
  ASSERT_TRUE(mode.psi.allFinite());
  ASSERT_TRUE(std::isfinite(mode.log_density));
  EXPECT_EQ(mode.gradient.size(), mode.psi.size());
  EXPECT_FALSE(mode.message.empty());
  for (Index i = 0; mode.converged && i < mode.psi.size(); ++i) {
    for (const double step : {-0.1, 0.1}) {
      Vector moved = mode.psi;
      moved(i) += step;
      EXPECT_LE(posterior.log_density(moved).value, mode.log_density + 1e-6) << i << ", " << step;
    }
  }
}

Mode mode_of(const char* kernel, const Matrix& x, const Vector& y) {
  const ExactPosterior posterior(make_model(parse_kernel(kernel), x.cols(), testing::kGammaPriors),
                                 x, y);
  Mode mode = find_mode(posterior, x, y);
  expect_usable(mode, posterior);
  return mode;
}

// A table with many inputs, of which three matter: modes of few rows lead to that of all in some
// evaluations there, and their Hessian to the same covariance.
TEST(FindMode, ManyInputsTakeFewEvaluationsOfAllRows) {
  if (testing::kSanitized) GTEST_SKIP() << "takes minutes there";
  constexpr Index kRows = 2100, kInputs = 12;
  const Matrix x = normal_matrix(kRows, kInputs, 5);
  const Vector noise = 0.1 * normal_matrix(kRows, 1, 6);
  const Vector y = (x.col(0) + 0.5 * x.col(1).array().sin().matrix() + 0.3 * x.col(2)) + noise;
  const ExactPosterior posterior(
      make_model(parse_kernel("rbf-ard"), kInputs, testing::kGammaPriors), x, y);
  int of_all = 0;
  const auto count = [&](const ModeProgress& now) {
    if (now.stage == ModeProgress::Stage::climb && now.rows == kRows && now.evaluations > 0) {
      ++of_all;
    }
  };
  const Mode mode = find_mode(posterior, x, y, count, {.far = false});
  EXPECT_TRUE(mode.converged) << mode.message;
  EXPECT_LE(of_all, 25);
  ASSERT_GT(mode.covariance.size(), 0);
  EXPECT_LT(mode.gradient.dot(mode.covariance * mode.gradient), 1e-6);
}

TEST(FindMode, FiveRowsAreEnough) {
  for (const char* kernel : {"rbf", "rbf-ard", "matern12", "matern52-ard"}) {
    mode_of(kernel, normal_matrix(5, 2, 1), normal_matrix(5, 1, 2));
  }
}

TEST(FindMode, OneRowIsEnough) { mode_of("rbf", normal_matrix(1, 2, 3), normal_matrix(1, 1, 4)); }

TEST(FindMode, NoiseFreeDataHaveAMode) {
  const Matrix x = normal_matrix(80, 2, 5);
  const Vector y = x.col(0).array().sin() + 0.5 * x.col(1).array().cos();
  const Mode mode = mode_of("matern32", x, y);
  EXPECT_TRUE(mode.converged);
  EXPECT_LT(mode.psi(2), std::log(1e-4)) << "noise where there is none";
}

// Data that the rbf kernel fits exactly: the climb ends at the edge of what is positive definite in
// floating point. It once returned its starting point then, with a log density of 73.
TEST(FindMode, AClimbThatEndsAtAnEdgeKeepsWhatItReached) {
  const Matrix x = normal_matrix(80, 2, 5);
  const Vector y = x.col(0).array().sin() + 0.5 * x.col(1).array().cos();
  for (const char* kernel : {"rbf", "rbf-ard"}) {
    const Mode mode = mode_of(kernel, x, y);
    EXPECT_GT(mode.log_density, 500) << kernel;
    EXPECT_LT(mode.psi(mode.psi.size() - 1), std::log(1e-6)) << kernel;
  }
}

TEST(FindMode, PureNoiseHasAMode) {
  const Mode mode = mode_of("rbf", normal_matrix(100, 2, 6), normal_matrix(100, 1, 7));
  const double total = std::exp(mode.psi(0)) + std::exp(mode.psi(2));
  EXPECT_NEAR(total, 1, 0.5);
}

TEST(FindMode, DuplicateRowsHaveAMode) {
  const Matrix x = normal_matrix(30, 2, 8).replicate(2, 1);
  const Vector y = x.col(0).array().sin();
  mode_of("rbf", x, y);
}

// The density rises without limit as the variances fall.
TEST(FindMode, AZeroTargetHasNoMode) {
  const Mode mode = mode_of("rbf", normal_matrix(30, 2, 9), Vector::Zero(30));
  EXPECT_FALSE(mode.converged) << mode.gradient.transpose();
}

TEST(FindMode, ArdTellsRelevantInputsFromOthers) {
  const Matrix x = normal_matrix(120, 3, 10);
  const Vector y = (2 * x.col(1).array()).sin() + 0.1 * normal_matrix(120, 1, 11).array();
  const Mode mode = mode_of("rbf-ard", x, y);
  EXPECT_GT(mode.psi(2), mode.psi(1) + 2);
  EXPECT_GT(mode.psi(2), mode.psi(3) + 2);
}

// Each stage is told as it begins and after each of its evaluations.
TEST(FindMode, TheObserverSeesEveryEvaluation) {
  const Matrix x = normal_matrix(510, 2, 14);  // more than those in which it looks far
  const Vector y = x.col(0).array().sin() + 0.3 * normal_matrix(510, 1, 15).array();
  const ExactPosterior posterior(make_model(parse_kernel("rbf"), 2, testing::kGammaPriors), x, y);
  std::vector<ModeProgress> seen;
  const Mode mode = find_mode(posterior, x, y, [&](const auto& p) { seen.push_back(p); });
  using Stage = ModeProgress::Stage;
  EXPECT_EQ(seen.front().stage, Stage::starting_points);
  EXPECT_EQ(seen.front().rows, 300);
  EXPECT_EQ(seen.back().stage, Stage::hessian);
  EXPECT_EQ(seen.back().evaluations, 6);
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(mode.evaluations + 3 + 6));
  for (std::size_t i = 1; i < seen.size(); ++i) {
    const bool begins = seen[i].stage != seen[i - 1].stage;
    EXPECT_EQ(seen[i].evaluations, begins ? 0 : seen[i - 1].evaluations + 1);
    EXPECT_EQ(seen[i].rows, seen[i].stage == Stage::starting_points ? 300 : 510);
    EXPECT_TRUE(begins || seen[i].log_density >= seen[i - 1].log_density);
  }
}

// It looked for an interrupt when it had found the mode, which takes a minute.
TEST(FindMode, StopsInAnyOfItsStages) {
  const Matrix x = normal_matrix(120, 2, 14);
  const Vector y = x.col(0).array().sin() + 0.3 * normal_matrix(120, 1, 15).array();
  const ExactPosterior posterior(make_model(parse_kernel("rbf-ard"), 2, testing::kGammaPriors), x,
                                 y);
  const auto is_stopped = [&](Watch& watch) {
    const WatchScope scope(watch);
    try {
      find_mode(posterior, x, y);
    } catch (const WorkStopped&) {
      return true;
    }
    return false;
  };
  testing::Listening patient;
  // One thread asks the same number of times each time.
  EXPECT_FALSE(testing::on_threads(1, [&] { return is_stopped(patient); }));
  for (const double share : {0.0, 0.01, 0.2, 0.5, 0.9, 0.999}) {
    testing::StopAfter watch(static_cast<long>(share * static_cast<double>(patient.asked())));
    EXPECT_TRUE(testing::on_threads(1, [&] { return is_stopped(watch); })) << share;
  }
  EXPECT_EQ(patient.shown.front(), "starting points on 120 rows");
  EXPECT_TRUE(testing::contains(patient.shown.back(), "Hessian on 120 rows, "))
      << patient.shown.back();
}

TEST(FindMode, WithoutADensityAnywhereItSaysWhy) {
  const Matrix x = normal_matrix(20, 2, 16);
  const Vector y = 1e200 * normal_matrix(20, 1, 17);
  const ExactPosterior posterior(make_model(parse_kernel("rbf"), 2, testing::kGammaPriors), x, y);
  const std::string message = testing::message_of([&] { find_mode(posterior, x, y); });
  EXPECT_TRUE(testing::contains(message, "no density where the search begins")) << message;
}

// Ceres's own message named its line search.
TEST(FindMode, WhatIsNotAModeSaysSoInOurOwnWords) {
  const Matrix x = normal_matrix(60, 2, 18);
  const Vector y = Vector::Zero(60);  // the smaller sigma and lambda, the likelier: no end to it
  const Mode mode = mode_of("rbf", x, y);
  EXPECT_FALSE(mode.converged);
  EXPECT_TRUE(testing::contains(mode.message, "search")) << mode.message;
  EXPECT_FALSE(testing::contains(mode.message, "ine search")) << mode.message;
}

TEST(FindMode, RepeatsItself) {
  const Matrix x = normal_matrix(400, 2, 12);
  const Vector y = x.col(0).array().sin() + 0.3 * normal_matrix(400, 1, 13).array();
  EXPECT_EQ(mode_of("rbf", x, y).psi, mode_of("rbf", x, y).psi);
}

// No point of a coarse grid over tau, with the best signal and noise of a few, is above the mode.
void expect_nothing_higher(const Mode& mode, const ExactPosterior& posterior, double scale) {
  for (int log_tau = -40; log_tau <= 40; log_tau += 2) {
    for (const double share : {0.9, 0.1, 1e-3, 1e-6}) {
      const Vector psi =
          (Vector(3) << std::log(scale), log_tau, std::log(scale * share)).finished();
      const LogDensity density = posterior.log_density(psi);
      if (density.rejected()) continue;
      EXPECT_LE(density.value, mode.log_density + 1e-6) << psi.transpose();
    }
  }
}

TEST(FindMode, InputsOfVeryDifferentUnitsDoNotHideTheMode) {
  Matrix x = normal_matrix(200, 2, 50);
  const Vector y = (2 * x.col(0)).array().sin() + 0.5 * x.col(1).array() +
                   0.1 * normal_matrix(200, 1, 51).array();
  x.col(0) *= 1e6;
  x.col(1) *= 1e-6;
  const ExactPosterior posterior(make_model(parse_kernel("rbf"), 2, testing::kGammaPriors), x, y);
  const Mode mode = find_mode(posterior, x, y);
  EXPECT_TRUE(mode.converged) << mode.message;
  expect_nothing_higher(mode, posterior, 1);
}

TEST(FindMode, ATargetFarFromZeroDoesNotHideTheMode) {
  const Matrix x = normal_matrix(100, 2, 52);
  const Vector y = (2 * x.col(0)).array().sin() + 1000 + 0.1 * normal_matrix(100, 1, 53).array();
  const ExactPosterior posterior(
      make_model(parse_kernel("rbf"), 2, {"sigma=lognormal(10,5)", "tau=lognormal(-5,5)"}), x, y);
  const Mode mode = find_mode(posterior, x, y);
  EXPECT_TRUE(mode.converged) << mode.message;
  expect_nothing_higher(mode, posterior, 1e6);
  expect_nothing_higher(mode, posterior, 1);
}

TEST(FindMode, ConvergenceIsJudgedInPosteriorDeviationsWhateverTheUnits) {
  const Matrix x = normal_matrix(150, 3, 54);
  const Vector y = 1e6 * ((2 * x.col(0)).array().sin() + 0.1 * normal_matrix(150, 1, 55).array());
  const ExactPosterior posterior(make_model(parse_kernel("matern52-ard"), 3, testing::kGammaPriors),
                                 x, y);
  const Mode mode = find_mode(posterior, x, y);
  if (mode.covariance.size() == 0) GTEST_SKIP() << "no curvature to measure with";
  EXPECT_EQ(mode.converged, mode.gradient.dot(mode.covariance * mode.gradient) < 1e-6);
}

}  // namespace
}  // namespace ulisse
