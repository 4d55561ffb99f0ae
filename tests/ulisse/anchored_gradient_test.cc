// Gradients with an anchor as control variate, and what is found out around it.

#include "ulisse/anchored_gradient.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "anchored.h"
#include "support/problem.h"
#include "support/sanitized.h"
#include "support/statistics.h"
#include "ulisse/exact.h"
#include "ulisse/survey.h"

namespace ulisse {
namespace {

using testing::Anchored;
using testing::covariance_of;
using testing::kOneInAMillion;
using testing::Problem;

// A fast covariance that is wrong: that of other parameters.
class ElsewhereCovariance : public Covariance {
 public:
  ElsewhereCovariance(const Covariance& inner, double shift) : inner_(inner), shift_(shift) {}
  Index size() const override { return inner_.size(); }
  const Model& model() const override { return inner_.model(); }
  std::unique_ptr<const CovarianceOperator> at(const ConstVector& psi) const override {
    return inner_.at(psi.array() + shift_);
  }
  std::string backend() const override { return inner_.backend(); }
  std::size_t kept_bytes() const override { return inner_.kept_bytes(); }
  std::unique_ptr<Covariance> lower_precision() const override { return nullptr; }

 private:
  const Covariance& inner_;
  double shift_;
};

TEST_P(Anchored, WithTheExactTraceTheGradientAtTheAnchorIsExact) {
  const Vector truth = exact.log_density_and_gradient(anchor.psi).gradient;
  anchor.trace.value += gradient().with_whole_bank(anchor.psi).gradient - truth;
  const GradientEstimate tight = gradient().with_whole_bank(anchor.psi);
  EXPECT_LT((tight.gradient - truth).norm(), 1e-6);
  EXPECT_LT(tight.covariance.norm(), 1e-12);
  Rng rng = stream(1, 0, Purpose::probes);
  EXPECT_LT((gradient().estimate(anchor.psi, rng).gradient - truth).norm(), 1e-6);
}

// The bank's mean differs from the truth by what its own covariance says: within four of them.
TEST_P(Anchored, TheBanksErrorIsWhatItSays) {
  const Vector truth = exact.log_density_and_gradient(anchor.psi).gradient;
  const Vector error = gradient().with_whole_bank(anchor.psi).gradient - truth;
  for (Index j = 0; j < error.size(); ++j) {
    EXPECT_LT(std::abs(error(j)), 4 * std::sqrt(anchor.trace.covariance(j, j))) << j;
  }
  Rng rng = stream(2, 0, Purpose::probes);
  const double before = anchor.trace.covariance.trace();
  refine_trace(*problem.covariance, anchor, anchor.trace, 240, rng, testing::kTightSolves);
  EXPECT_EQ(anchor.trace.probes, 256);
  EXPECT_LT(anchor.trace.covariance.trace(), before / 8);
  const Vector better = gradient().with_whole_bank(anchor.psi).gradient - truth;
  for (Index j = 0; j < better.size(); ++j) {
    EXPECT_LT(std::abs(better(j)), 4 * std::sqrt(anchor.trace.covariance(j, j))) << j;
  }
}

// With a preconditioner near K its trace tells nearly all, and the error said is kept to.
TEST_P(Anchored, ControlsMakeTheTraceBetterKnown) {
  const Vector truth = exact.log_density_and_gradient(anchor.psi).gradient;
  const auto k = problem.covariance->at(anchor.psi);
  const Matrix controls = bank_controls(*k, anchor);
  const Matrix before = anchor.trace.covariance, foreseen = error_with_controls(anchor, controls);
  use_controls(anchor.trace, controls, anchor.preconditioner->half_trace(*k));
  EXPECT_LT(foreseen.trace(), 0.5 * before.trace());
  EXPECT_LT(anchor.trace.covariance.trace(), 0.7 * before.trace());
  const auto within = [&] {
    const Vector error = gradient().with_whole_bank(anchor.psi).gradient - truth;
    for (Index j = 0; j < error.size(); ++j) {
      EXPECT_LT(std::abs(error(j)), 4.5 * std::sqrt(anchor.trace.covariance(j, j))) << j;
    }
  };
  within();
  Rng rng = stream(3, 0, Purpose::probes);
  const double with_16 = anchor.trace.covariance.trace();
  refine_trace(*problem.covariance, anchor, anchor.trace, 240, rng, testing::kTightSolves);
  EXPECT_EQ(anchor.trace.probes, 256);
  // A sixteenth, but for chance: 16 probes less three controls tell a variance to within 40 %.
  EXPECT_LT(anchor.trace.covariance.trace(), with_16 / 6);
  within();
}

// Cutting solves and choosing probes of the bank do not bias: false alarm one in a million for each
// parameter.
TEST_P(Anchored, TheMeanOfEstimatesIsTheBanksGradient) {
  const Vector psi = one_sd_away();
  const Vector truth = gradient().with_whole_bank(psi).gradient;
  const auto [estimates, own] = repeat(gradient("matched"), psi, 3);
  const Matrix spread = covariance_of(estimates);
  for (Index j = 0; j < psi.size(); ++j) {
    const double z =
        testing::z_score(estimates.row(j).transpose(), truth(j), std::sqrt(spread(j, j)));
    EXPECT_LT(std::abs(z), kOneInAMillion) << j;
    if (!testing::kSanitized) {
      EXPECT_NEAR(own(j, j) / spread(j, j), 1, 0.2) << j;
    }
  }
}

// Fresh probes have the exact gradient as their mean, where a small bank is off by its error, and
// say how far they spread. A false alarm once in a million for each parameter.
TEST_P(Anchored, TheMeanOfFreshProbesIsTheExactGradient) {
  anchor = make_anchor(*problem.covariance, problem.y, mode.psi, preconditioner_at(mode.psi, 40),
                       {.bank = 2, .cg = testing::kTightSolves});
  anchor.trace.value += gradient_with(2).with_whole_bank(anchor.psi).gradient -
                        exact.log_density_and_gradient(anchor.psi).gradient;
  const Vector psi = one_sd_away();
  const Vector truth = exact.log_density_and_gradient(psi).gradient;
  const AnchoredGradient fresh(problem.model, *problem.covariance, anchor,
                               {.probes = 4,
                                .fresh = true,
                                .cg_at_anchor = testing::kTightSolves,
                                .q = 0.2,
                                .rule = parse_truncation("matched"),
                                .cg = testing::kTightSolves});
  const auto [estimates, own] = repeat(fresh, psi, 8);
  const Matrix spread = covariance_of(estimates);
  const Vector bank = gradient_with(2).with_whole_bank(psi).gradient;
  double banks = 0;
  for (Index j = 0; j < psi.size(); ++j) {
    const double error = std::sqrt(spread(j, j) / static_cast<double>(estimates.cols()));
    EXPECT_LT(std::abs(estimates.row(j).mean() - truth(j)), kOneInAMillion * error) << j;
    if (!testing::kSanitized) {
      EXPECT_NEAR(own(j, j) / spread(j, j), 1, 0.25) << j;
    }
    banks = std::max(banks, std::abs(bank(j) - truth(j)) / error);
  }
  if (testing::kSanitized) return;
  EXPECT_GT(banks, kOneInAMillion) << "or the test could not tell a bank from fresh probes";
}

// Products in float, residuals at the start in double: rounding is far below a standard deviation,
// also for estimates that are cut, which have the same expectation.
TEST_P(Anchored, ProductsInFloatChangeTheGradientByLittle) {
  const auto in_float =
      make_covariance(problem.model.kernel, problem.x, {.backend = "dense-float"});
  const Vector psi = one_sd_away();
  const double enough = 1e-3 * std::sqrt(150.0);
  const AnchoredGradient precise(problem.model, *problem.covariance, anchor,
                                 {.cg = {.tolerance = enough, .verify = false}});
  const WorkingCovariance both(*problem.covariance, in_float.get());
  const AnchoredGradient fast(problem.model, both, anchor,
                              {.cg = {.tolerance = enough, .verify = false}});
  const GradientEstimate there = fast.with_whole_bank(psi);
  const Vector change = there.gradient - gradient().with_whole_bank(psi).gradient;
  const Vector by_tolerance =
      precise.with_whole_bank(psi).gradient - gradient().with_whole_bank(psi).gradient;
  const Matrix factor = mode.covariance.llt().matrixL();
  EXPECT_LT((factor.transpose() * change).norm(),
            (factor.transpose() * by_tolerance).norm() + 1e-3);
  EXPECT_GT(there.solves.solve.exact_products, 0);
  EXPECT_GT(there.solves.solve.products, 0);

  AnchoredGradientOptions cut{.probes = 4, .q = 0.2, .rule = parse_truncation("matched")};
  const AnchoredGradient in_double(problem.model, *problem.covariance, anchor, cut);
  const AnchoredGradient rough(problem.model, both, anchor, cut);
  Rng a = stream(5, 0, Purpose::truncation), b = stream(5, 0, Purpose::truncation);
  const Vector apart = in_double.estimate(psi, a).gradient - rough.estimate(psi, b).gradient;
  EXPECT_LT((factor.transpose() * apart).norm(), 1e-2);
}

// The anchor's solves by products that are a little off, or quite wrong, come to their tolerance
// all the same.
TEST_P(Anchored, FastSolvesAreVerified) {
  const CgOptions enough{.tolerance = 1e-4 * std::sqrt(150.0), .verify = false};
  const auto p = preconditioner_at(mode.psi, 20);
  for (const double shift : {0.01, 1.5}) {
    const ElsewhereCovariance off(*problem.covariance, shift);
    const Anchor fast = make_anchor({*problem.covariance, &off}, problem.y, mode.psi, p,
                                    {.bank = 16, .cg = enough});
    Matrix product(fast.solutions.rows(), fast.solutions.cols());
    problem.covariance->at(mode.psi)->apply(fast.solutions, product);
    EXPECT_LT((fast.right_sides - product).colwise().norm().maxCoeff(), enough.tolerance);
    EXPECT_EQ(fast.unfinished, 0);
    EXPECT_GT(fast.iterations, 0);
  }
}

// Solves by products that are a little off are verified; forms are not made of such products.
TEST_P(Anchored, WithCareOnlySolvesAreFast) {
  const ElsewhereCovariance off(*problem.covariance, 0.01);
  const Vector psi = one_sd_away();
  const GradientEstimate careful =
      AnchoredGradient(problem.model, {*problem.covariance, &off}, anchor,
                       {.probes = 1, .cg = testing::kTightSolves, .careful = true})
          .with_whole_bank(psi);
  const Vector change = careful.gradient - gradient().with_whole_bank(psi).gradient;
  const Matrix factor = mode.covariance.llt().matrixL();
  EXPECT_LT((factor.transpose() * change).norm(), 1e-5);
  EXPECT_GT(careful.solves.solve.products, 0);
  EXPECT_GT(careful.solves.solve.exact_products, 1) << "one at the start, and verified";
}

// The covariance is the sum of its parts; near the anchor it takes nearly all of the probes' noise
// away, and where nothing is cut, cutting makes none.
TEST_P(Anchored, TheNoiseHasParts) {
  const Vector psi = one_sd_away();
  Matrix cutting = Matrix::Zero(psi.size(), psi.size()), probes = cutting, alone = cutting;
  for (int i = 0; i < 100; ++i) {
    Rng rng = stream(6, 0, Purpose::truncation, static_cast<std::uint64_t>(i));
    const AnchoredEstimate e = gradient("matched").estimate_in_parts(psi, rng);
    EXPECT_LT((e.parts.cutting + e.parts.probes - e.covariance).norm(), 1e-9 * e.covariance.norm());
    cutting += e.parts.cutting;
    probes += e.parts.probes;
    alone += e.parts.probes_alone;
  }
  EXPECT_GT(cutting.trace(), 0);
  EXPECT_LT(probes.trace(), 0.5 * alone.trace());
  Rng rng = stream(6, 1, Purpose::truncation);
  EXPECT_LT(gradient().estimate_in_parts(psi, rng).parts.cutting.norm(), 1e-12);
}

TEST_P(Anchored, TheWholeBankIsNotDrawnSoItMakesNoNoise) {
  const AnchoredGradient all(problem.model, *problem.covariance, anchor,
                             {.probes = 16, .cg = testing::kTightSolves});
  Rng rng = stream(7, 0, Purpose::truncation);
  EXPECT_EQ(all.estimate_in_parts(one_sd_away(), rng).parts.probes.norm(), 0);
  EXPECT_GT(all.with_whole_bank(one_sd_away()).covariance.norm(), 0)
      << "the error of the bank's mean";
}

TEST_P(Anchored, SolvesThatDidNotConvergeAreCounted) {
  EXPECT_EQ(anchor.unfinished, 0);
  CgOptions hasty = testing::kTightSolves;
  hasty.max_iterations = 2;
  Anchor rough = make_anchor(*problem.covariance, problem.y, mode.psi,
                             preconditioner_at(mode.psi, 5), {.bank = 16, .cg = hasty});
  EXPECT_EQ(rough.unfinished, 17);
  const Curvature survey =
      survey_curvature(problem.model, *problem.covariance, rough, mode.covariance, hasty);
  EXPECT_EQ(survey.unfinished, 2 * mode.psi.size() * 17);
}

// A bank of 200 knows the curvature to some 5 %.
TEST_P(Anchored, TheSurveyFindsTheCovarianceAtTheMode) {
  anchor = make_anchor(*problem.covariance, problem.y, mode.psi, preconditioner_at(mode.psi, 40),
                       {.bank = 200, .cg = testing::kTightSolves});
  const Curvature survey = survey_curvature(problem.model, *problem.covariance, anchor,
                                            mode.covariance, testing::kTightSolves);
  EXPECT_FALSE(survey.repaired);
  const Matrix factor = mode.covariance.llt().matrixL();
  const Matrix ratio = factor.triangularView<Eigen::Lower>().solve(
      Matrix(factor.triangularView<Eigen::Lower>().solve(survey.metric)).transpose());
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(ratio);
  EXPECT_GT(eigen.eigenvalues().minCoeff(), 0.7);
  EXPECT_LT(eigen.eigenvalues().maxCoeff(), 1.4);
}

// With slopes a solve one standard deviation away starts from a fraction of the residual.
TEST_P(Anchored, SlopesBringTheStartCloser) {
  const Vector psi = one_sd_away();
  const Indices columns = {0, 1, 2};
  const auto k = problem.covariance->at(psi);
  const auto residual = [&] {
    const Matrix x = anchor.starting_points(psi, columns);
    Matrix product(x.rows(), x.cols());
    k->apply(x, product);
    return (anchor.right_sides(Eigen::all, columns) - product).norm();
  };
  const double without = residual();
  anchor.slopes = survey_curvature(problem.model, *problem.covariance, anchor, mode.covariance,
                                   testing::kTightSolves)
                      .slopes;
  EXPECT_LT(residual(), 0.5 * without);
}

INSTANTIATE_TEST_SUITE_P(Kernels, Anchored, ::testing::Values("rbf", "matern32"));

}  // namespace
}  // namespace ulisse
