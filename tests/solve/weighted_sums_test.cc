// ULISSE's expectation, exactly: every truncation with its probability.

#include "solve/weighted_sums.h"

#include <gtest/gtest.h>

#include "support/matrix_operator.h"
#include "ulisse/preconditioner.h"

namespace ulisse {
namespace {

using testing::MatrixOperator;
using testing::normal_matrix;
using testing::random_spd;

// Estimate e of a column takes e terms and no more; the probabilities are kept.
struct AllLengths {
  std::vector<double> probabilities;  // by term
  bool operator()(Index, Index estimate, int term, double probability) {
    if (static_cast<std::size_t>(term) == probabilities.size())
      probabilities.push_back(probability);
    return term < estimate;
  }
};

struct Expectation {
  Vector mean, solution;
  double total = 0;  // of the probabilities
  int lengths = 0;
};

Expectation over_all_lengths(const LinearOperator& a, const LinearOperator* preconditioner,
                             const Vector& b, const Vector& start, const TruncationRule& rule,
                             double early_stop, EarlyStopTest test) {
  constexpr int kLengths =
      38;  // exp(1) survives 38 terms with probability 1e-322, the smallest double
  AllLengths decide;
  WeightedSums sums(b.size(), {kLengths}, early_stop, test, rule, std::ref(decide));
  Expectation result;
  Matrix x = start;
  conjugate_gradients(a, preconditioner, b, x,
                      {.tolerance = 1e-11, .verify = false, .observer = &sums});
  result.solution = x;
  const Matrix estimates = sums.estimates(x);
  result.mean = Vector::Zero(b.size());
  double survival = 1;
  const int terms = static_cast<int>(decide.probabilities.size());
  EXPECT_LT(terms, kLengths);  // CG converged before the lengths ran out
  for (int e = 0; e < terms; ++e) {
    const bool last = e + 1 == terms;  // CG ends there, whatever the draw
    const double longer = last ? 0 : survival * decide.probabilities[e];
    result.mean += (survival - longer) * estimates.col(e);
    result.total += survival - longer;
    survival = longer;
  }
  result.lengths = terms;
  return result;
}

class ExactExpectation : public ::testing::TestWithParam<const char*> {};

TEST_P(ExactExpectation, IsTheSolutionOfConjugateGradients) {
  const MatrixOperator a(random_spd(25, 10, 1));
  const Vector b = normal_matrix(25, 1, 2);
  const auto rule = parse_truncation(GetParam());
  for (const auto test : {EarlyStopTest::after_update, EarlyStopTest::at_start})
    for (const double early_stop : {1e9, 3.0, 0.1, 1e-6}) {
      const auto e = over_all_lengths(a, nullptr, b, Vector::Zero(25), *rule, early_stop, test);
      EXPECT_GT(e.lengths, 3);
      EXPECT_NEAR(e.total, 1, 1e-14);
      EXPECT_LT((e.mean - e.solution).norm(), 1e-12 * e.solution.norm()) << early_stop;
      EXPECT_LT((a.matrix() * e.mean - b).norm(), 1e-10 * b.norm()) << early_stop;
    }
}

TEST_P(ExactExpectation, DoesNotDependOnTheStartOrThePreconditioner) {
  const Matrix k = random_spd(25, 100, 3);
  const MatrixOperator a(k);
  const LowRankPreconditioner p(Matrix(k.leftCols(8)), 0.01);  // a poor one: any will do
  const Vector b = normal_matrix(25, 1, 4), start = normal_matrix(25, 1, 5);
  const auto rule = parse_truncation(GetParam());
  const auto e = over_all_lengths(a, &p, b, start, *rule, 1.0, EarlyStopTest::after_update);
  EXPECT_LT((e.mean - e.solution).norm(), 1e-11 * e.solution.norm());
  EXPECT_LT((k * e.mean - b).norm(), 1e-9 * b.norm());
}

INSTANTIATE_TEST_SUITE_P(Rules, ExactExpectation,
                         ::testing::Values("exp(1)", "exp(0.1)", "exp(0.01)", "matched(1)",
                                           "matched(0.7)", "matched(2)"));

TEST(WeightedSums, AnEstimateThatStopsAtOnceIsWhereCgStoodAtTheEarlyStop) {
  const MatrixOperator a(random_spd(30, 100, 6));
  const Vector b = normal_matrix(30, 1, 7);
  const auto rule = exponential_weights(1);
  int stopped_at = 0;
  WeightedSums sums(30, {2}, 0.5, EarlyStopTest::after_update, *rule,
                    [](Index, Index e, int term, double) {
                      return e == 1 && term < 4;  // the other goes on, and so CG does
                    });
  Matrix x = Matrix::Zero(30, 1);
  conjugate_gradients(a, nullptr, b, x, {.observer = &sums});
  stopped_at = sums.summary()[0].early_stop;
  Matrix plain = Matrix::Zero(30, 1);
  conjugate_gradients(a, nullptr, b, plain, {.max_iterations = stopped_at});
  EXPECT_LT((sums.estimates(x).col(0) - plain).norm(), 1e-14 * plain.norm());
  EXPECT_GT((sums.estimates(x).col(1) - plain).norm(), 1e-3 * plain.norm());
}

TEST(WeightedSums, WeightsAreThePapersProducts) {
  // 1, e^1, e^(1+2), e^(1+2+3) for the terms 0 to 3.
  const MatrixOperator a(random_spd(30, 100, 8));
  const Vector b = normal_matrix(30, 1, 9);
  const auto rule = exponential_weights(1);
  WeightedSums sums(30, {1}, 1.0, EarlyStopTest::after_update, *rule,
                    [](Index, Index, int term, double) { return term < 4; });
  Matrix x = Matrix::Zero(30, 1);
  conjugate_gradients(a, nullptr, b, x, {.observer = &sums});
  EXPECT_NEAR(sums.summary()[0].last_weight, std::exp(6), 1e-10);
  EXPECT_EQ(sums.summary()[0].terms, std::vector<int>{4});
}

}  // namespace
}  // namespace ulisse
