// ULISSE in practice: what a run of realistic length sees.

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "support/concrete.h"
#include "support/matrix_operator.h"
#include "support/sanitized.h"
#include "support/statistics.h"
#include "ulisse/preconditioner.h"
#include "ulisse/unbiased.h"

namespace ulisse {
namespace {

using testing::concrete;
using testing::concrete_covariance;
using testing::kOneInAMillion;
using testing::MatrixOperator;
using testing::normal_matrix;
using testing::random_spd;

// Stops CG at the early stop and corrects nothing: what ULISSE must not be.
class CutOff : public TruncationRule {
 public:
  std::string name() const override { return "cut"; }
  double continuation(int, std::span<const double>) const override { return 0; }
};

struct Sampled {
  Vector forms;  // w'x for each solve
  double products = 0;
  int untrustworthy = 0;
};

// Thousands of solves of Concrete's K x = y, seen through w'x for one fixed vector w.
class ConcreteSolves {
 public:
  ConcreteSolves()
      : k_(concrete_covariance()),
        p_(pivoted_cholesky(*k_, {.rank = 200, .pivoting = Pivoting::greedy}), k_->noise()) {
    w_ = normal_matrix(concrete().y.size(), 1, 1);
  }

  Sampled sample(const TruncationRule& rule, const LinearOperator* preconditioner, double q,
                 int count) const {
    const Vector& y = concrete().y;
    Sampled result{Vector(count)};
    const double early_stop = q * std::sqrt(static_cast<double>(y.size()));
    for (int i = 0; i < count; ++i) {
      Rng rng = stream(7, 0, Purpose::truncation, static_cast<std::uint64_t>(i));
      UnbiasedSummary summary;
      Matrix x = Matrix::Zero(y.size(), 1);
      const Matrix estimate = unbiased_solve(
          *k_, preconditioner, y, x, {1}, {.early_stop = early_stop, .rule = &rule}, rng, summary);
      result.forms(i) = w_.dot(estimate.col(0));
      result.products += static_cast<double>(summary.solve.products) / count;
      result.untrustworthy += summary.untrustworthy();
    }
    return result;
  }

  const LowRankPreconditioner& preconditioner() const { return p_; }

  double truth() const {
    Matrix factor = testing::as_matrix(*k_);
    return w_.dot(factor.llt().solve(concrete().y));
  }

 private:
  std::unique_ptr<const CovarianceOperator> k_;
  LowRankPreconditioner p_;
  Vector w_;
};

const ConcreteSolves& concrete_solves() {
  static const ConcreteSolves solves;
  return solves;
}

double z_of(const Sampled& s) {
  const double sd = std::sqrt((s.forms.array() - s.forms.mean()).square().mean());
  return testing::z_score(s.forms, concrete_solves().truth(), sd);
}

constexpr int kSolves = testing::repeats(2000, 100);

const Sampled& corrected_solves(const std::string& rule) {
  static std::map<std::string, Sampled> kept;
  if (!kept.contains(rule)) {
    kept[rule] = concrete_solves().sample(*parse_truncation(rule),
                                          &concrete_solves().preconditioner(), 0.1, kSolves);
  }
  return kept[rule];
}

// A false alarm once in a million for each rule.
TEST(UnbiasedSolve, TheMeanOfThousandsIsCholeskysSolution) {
  for (const char* name : {"exp(1)", "matched(1)"}) {
    const Sampled& s = corrected_solves(name);
    EXPECT_LT(std::abs(z_of(s)), kOneInAMillion) << name;
    EXPECT_LT(s.products, 10) << name;
    EXPECT_EQ(s.untrustworthy, 0) << name;
  }
}

TEST(UnbiasedSolve, WithoutTheCorrectionTheSameCheckFails) {
  if (testing::kSanitized) GTEST_SKIP() << "takes thousands of solves";
  // Deterministic, so its distance from the truth is measured in the sd of the corrected solves.
  const Vector& corrected = corrected_solves("exp(1)").forms;
  const auto cut = concrete_solves().sample(CutOff(), &concrete_solves().preconditioner(), 0.1, 1);
  const double sd = std::sqrt((corrected.array() - corrected.mean()).square().mean());
  const double z = (cut.forms(0) - concrete_solves().truth()) / sd * std::sqrt(double(kSolves));
  EXPECT_GT(std::abs(z), kOneInAMillion);
}

TEST(UnbiasedSolve, AtThePapersSettingsARunSeesABiasAndTheSummaryWarns) {
  // Unbiased in expectation, but the expectation rests on draws of probability e^-50 and less.
  const auto rule = exponential_weights(1);
  const auto s = concrete_solves().sample(*rule, nullptr, 1, 200);
  EXPECT_GT(std::abs(z_of(s)), kOneInAMillion);
  EXPECT_EQ(s.untrustworthy, 200);
}

TEST(UnbiasedSolve, TwoEstimatesOfOneRunAreIndependent) {
  // E[(e1 - s)'(e2 - s)] = 0; the mean of products is compared with its own standard error.
  const MatrixOperator a(random_spd(30, 20, 2));
  const Vector b = normal_matrix(30, 1, 3);
  const Vector s = a.matrix().llt().solve(b);
  const auto rule = matched_decay(1);
  constexpr int kCount = 4000;
  Vector products(kCount);
  for (int i = 0; i < kCount; ++i) {
    Rng rng = stream(1, 0, Purpose::truncation, static_cast<std::uint64_t>(i));
    UnbiasedSummary summary;
    Matrix x = Matrix::Zero(30, 1);
    const Matrix e =
        unbiased_solve(a, nullptr, b, x, {2}, {.early_stop = 2, .rule = rule.get()}, rng, summary);
    products(i) = (e.col(0) - s).dot(e.col(1) - s);
  }
  const double sd = std::sqrt((products.array() - products.mean()).square().mean());
  EXPECT_GT(sd, 0);
  EXPECT_LT(std::abs(testing::z_score(products, 0, sd)), kOneInAMillion);
}

// Common draws cut equal columns alike, estimate by estimate, and the mean stays where it is: false
// alarm one in a million for each column.
TEST(UnbiasedSolve, CommonDrawsCutColumnsTogetherAndDoNotBias) {
  const Matrix a = random_spd(40, 1e3, 3);
  const Vector b = normal_matrix(40, 1, 4), w = normal_matrix(40, 1, 5);
  Matrix right(40, 3);
  right << b, b, normal_matrix(40, 1, 6);
  const auto rule = parse_truncation("matched");
  const MatrixOperator op(a);
  constexpr int kCount = 4000;
  Matrix forms(2, kCount);
  for (int i = 0; i < kCount; ++i) {
    Rng rng = stream(8, 0, Purpose::truncation, static_cast<std::uint64_t>(i));
    UnbiasedSummary summary;
    Matrix x = Matrix::Zero(40, 3);
    const Matrix estimates = unbiased_solve(
        op, nullptr, right, x, {2, 2, 2},
        {.early_stop = 0.5 * b.norm(), .rule = rule.get(), .common_draws = true}, rng, summary);
    ASSERT_EQ(summary.columns[0].terms, summary.columns[1].terms);
    ASSERT_EQ(estimates.col(0), estimates.col(2));
    forms(0, i) = w.dot(estimates.col(1));
    forms(1, i) = w.dot(estimates.col(4));
  }
  const Matrix truth = a.llt().solve(right);
  for (const Index j : {0, 1}) {
    const Vector seen = forms.row(j).transpose();
    const double sd = std::sqrt((seen.array() - seen.mean()).square().sum() / (kCount - 1));
    EXPECT_LT(std::abs(testing::z_score(seen, w.dot(truth.col(2 * j)), sd)), kOneInAMillion) << j;
  }
}

TEST(UnbiasedSolve, EstimatesNeverReachConjugateGradients) {
  const MatrixOperator a(random_spd(30, 100, 4));
  const Matrix b = normal_matrix(30, 2, 5);
  const auto rule = exponential_weights(0.5);
  Rng rng = stream(1, 0, Purpose::truncation);
  UnbiasedSummary summary;
  Matrix x = Matrix::Zero(30, 2);
  unbiased_solve(a, nullptr, b, x, {2, 1}, {.early_stop = 1, .rule = rule.get()}, rng, summary);
  for (Index c = 0; c < 2; ++c) {
    Matrix plain = Matrix::Zero(30, 1);
    conjugate_gradients(a, nullptr, b.col(c), plain,
                        {.max_iterations = summary.solve.columns[c].iterations});
    EXPECT_EQ(x.col(c), plain.col(0));
  }
}

TEST(UnbiasedSolve, TheSummaryTellsWhereItStoppedAndWhatItCost) {
  const MatrixOperator plain(random_spd(40, 300, 6));
  const testing::CountingOperator a(plain);
  const Vector b = normal_matrix(40, 1, 7);
  const auto rule = exponential_weights(0.1);
  Rng rng = stream(3, 0, Purpose::truncation);
  UnbiasedSummary summary;
  Matrix x = Matrix::Zero(40, 1);
  unbiased_solve(a, nullptr, b, x, {3}, {.early_stop = 1, .rule = rule.get()}, rng, summary);
  const ColumnTruncation& c = summary.columns[0];
  const int most = *std::max_element(c.terms.begin(), c.terms.end());
  EXPECT_EQ(summary.solve.stop, Stop::truncated);
  EXPECT_EQ(summary.solve.products, a.products());
  EXPECT_EQ(summary.solve.iterations, c.early_stop + most);
  double weight = 1;
  for (int j = 1; j < most; ++j) weight *= std::exp(0.1 * j);
  EXPECT_NEAR(c.last_weight, weight, 1e-12 * weight);
}

// A start that is within 1e-4 of the solution, far below the early stop.
ColumnTruncation from_a_near_start(EarlyStopTest test) {
  const MatrixOperator a(random_spd(20, 10, 8));
  const Vector b = normal_matrix(20, 1, 9);
  Matrix x = a.matrix().llt().solve(b);
  x(0) += 1e-4;
  const auto rule = exponential_weights(1);
  Rng rng = stream(1, 0, Purpose::truncation);
  UnbiasedSummary summary;
  unbiased_solve(a, nullptr, b, x, {1}, {.early_stop = 1, .rule = rule.get(), .test = test}, rng,
                 summary);
  return summary.columns[0];
}

TEST(UnbiasedSolve, AStartBelowTheEarlyStopMakesOneWholeUpdateBeforeTheRuleBegins) {
  const ColumnTruncation column = from_a_near_start(UnbiasedOptions{}.test);
  EXPECT_EQ(column.early_stop, 1);
  EXPECT_GE(column.terms[0], 1);
}

TEST(UnbiasedSolve, TestedAtTheStartItBeginsWithTheRule) {
  const ColumnTruncation column = from_a_near_start(EarlyStopTest::at_start);
  EXPECT_EQ(column.early_stop, 0);
  EXPECT_GE(column.terms[0], 1);
}

// The paper's early-stop figure: with q = 1 a solve takes 3.4 products for weights exp(r) whatever
// the condition number: that of a start, an update that is always made, and 1 + 1/e + 1/e^3 + ...
TEST(UnbiasedSolve, AboveEveryResidualTheUpdatesAreThoseOfThePapersFigure) {
  const MatrixOperator a(random_spd(60, 1e6, 10));
  const Vector b = normal_matrix(60, 1, 11);
  const auto rule = exponential_weights(1);
  constexpr int kCount = 4000;
  Vector updates(kCount);
  for (int i = 0; i < kCount; ++i) {
    Rng rng = stream(2, 0, Purpose::truncation, static_cast<std::uint64_t>(i));
    UnbiasedSummary summary;
    Matrix x = Matrix::Zero(60, 1);
    unbiased_solve(a, nullptr, b, x, {1}, {.early_stop = 1e9, .rule = rule.get()}, rng, summary);
    updates(i) = summary.solve.columns[0].iterations;
  }
  const double expected = 1 + 1 + std::exp(-1) + std::exp(-3) + std::exp(-6) + std::exp(-10);
  const double sd = std::sqrt((updates.array() - updates.mean()).square().mean());
  EXPECT_LT(std::abs(testing::z_score(updates, expected, sd)), kOneInAMillion);
}

TEST(UnbiasedSolve, ASolvedSystemNeedsNothing) {
  const MatrixOperator a(Matrix::Identity(5, 5));
  Matrix x = Matrix::Ones(5, 1);
  const auto rule = exponential_weights(1);
  Rng rng = stream(1, 0, Purpose::truncation);
  UnbiasedSummary summary;
  const Matrix e =
      unbiased_solve(a, nullptr, Matrix::Ones(5, 1), x, {2}, {.rule = rule.get()}, rng, summary);
  EXPECT_EQ(e, Matrix::Ones(5, 2));
  EXPECT_EQ(summary.solve.stop, Stop::converged);
}

TEST(UnbiasedSolve, MisuseIsRefused) {
  const MatrixOperator a(Matrix::Identity(5, 5));
  Matrix x = Matrix::Zero(5, 1);
  const Matrix b = Matrix::Ones(5, 1);
  const auto rule = exponential_weights(1);
  Rng rng = stream(1, 0, Purpose::truncation);
  UnbiasedSummary summary;
  EXPECT_THROW(unbiased_solve(a, nullptr, b, x, {1, 1}, {.rule = rule.get()}, rng, summary),
               std::invalid_argument);
  EXPECT_THROW(unbiased_solve(a, nullptr, b, x, {0}, {.rule = rule.get()}, rng, summary),
               std::invalid_argument);
  EXPECT_THROW(unbiased_solve(a, nullptr, b, x, {1}, {}, rng, summary), std::invalid_argument);
}

}  // namespace
}  // namespace ulisse
