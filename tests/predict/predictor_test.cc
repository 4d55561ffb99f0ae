// Predictions given one psi: both methods against the textbook's formulas, and at places where one
// knows what must come out.

#include "predict/predictor.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "support/error_message.h"
#include "support/problem.h"
#include "support/random_points.h"
#include "ulisse/error.h"

namespace ulisse {
namespace {

using testing::normal_matrix;
using testing::Problem;

// k(a, b) by plain loops.
Matrix plain_covariance(const Model& model, const Vector& psi, const Matrix& a, const Matrix& b) {
  const KernelParameters p = unpack(model.kernel, model.layout.kernel_psi(psi), a.cols());
  Matrix k(a.rows(), b.rows());
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index j = 0; j < b.rows(); ++j) {
      k(i, j) = evaluate(model.kernel, p, a.row(i), b.row(j)).value;
    }
  }
  return k;
}

class PredictorOf : public ::testing::TestWithParam<std::tuple<const char*, const char*>> {
 protected:
  PredictorOf()
      : problem(std::get<1>(GetParam()), 120, 2),
        predictor(make_predictor(problem.model, problem.x, problem.y,
                                 {.method = std::get<0>(GetParam())})) {}

  double lambda() const { return std::exp(problem.psi(problem.psi.size() - 1)); }
  double sigma() const { return std::exp(problem.psi(0)); }

  Problem problem;
  std::unique_ptr<Predictor> predictor;
};

TEST_P(PredictorOf, IsTheTextbooksFormula) {
  const Matrix new_x = normal_matrix(37, 2, 5);
  for (const double shift : {0.0, 0.3}) {  // the second starts from the first's solution
    const Vector psi = problem.psi.array() + shift;
    predictor->condition(psi);
    const Matrix cross = plain_covariance(problem.model, psi, problem.x, new_x);
    Matrix k = plain_covariance(problem.model, psi, problem.x, problem.x);
    k.diagonal().array() += std::exp(psi(psi.size() - 1));
    const Matrix solved = k.llt().solve(cross);
    const Vector mean = solved.transpose() * problem.y;
    const Matrix covariance =
        plain_covariance(problem.model, psi, new_x, new_x) - cross.transpose() * solved;
    const Moments found = predictor->moments(new_x);
    EXPECT_LT((found.mean - mean).cwiseAbs().maxCoeff(), 1e-7);
    const bool either_way = predictor->name() == "float";
    const double allowed = predictor->variance_error() * std::exp(psi(psi.size() - 1)) + 1e-9;
    const Vector too_large = found.variance - covariance.diagonal();
    EXPECT_LE(too_large.maxCoeff(), allowed);
    EXPECT_GE(too_large.minCoeff(), either_way ? -allowed : -1e-9);
    EXPECT_LT((predictor->covariance(new_x) - covariance).cwiseAbs().maxCoeff(), 10 * allowed);
  }
}

// A parameter that is fixed where the other model's psi has it changes nothing.
TEST_P(PredictorOf, AFixedParameterPredictsAsAFreeOneThere) {
  predictor->condition(problem.psi);
  const Matrix new_x = normal_matrix(9, 2, 5);
  const Moments expected = predictor->moments(new_x);
  for (const char* name : {"tau", "lambda"}) {
    Problem fixed(std::get<1>(GetParam()), 120, 2);
    fixed.fix(name, std::string(name) == "tau" ? 0.5 : 0.2);
    const auto other =
        make_predictor(fixed.model, fixed.x, fixed.y, {.method = std::get<0>(GetParam())});
    other->condition(fixed.psi);
    const Moments found = other->moments(new_x);
    EXPECT_LT((found.mean - expected.mean).cwiseAbs().maxCoeff(), 1e-10) << name;
    EXPECT_LT((found.variance - expected.variance).cwiseAbs().maxCoeff(), 1e-10) << name;
    EXPECT_LT((other->covariance(new_x) - predictor->covariance(new_x)).norm(), 1e-9) << name;
  }
}

TEST_P(PredictorOf, FarFromTheDataThePriorComesBack) {
  predictor->condition(problem.psi);
  const Moments far = predictor->moments(Matrix::Constant(3, 2, 1e4));
  EXPECT_LT(far.mean.cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((far.variance.array() - sigma()).abs().maxCoeff(), 1e-12 * sigma());
}

TEST_P(PredictorOf, AtATrainingPointWithLittleNoiseTheTargetComesBack) {
  // Rough enough to follow the targets, which have noise of their own.
  Vector psi = Vector::Constant(problem.psi.size(), std::log(200));
  psi(0) = 0;
  psi(psi.size() - 1) = std::log(1e-4);
  predictor->condition(psi);
  const Moments found = predictor->moments(problem.x.topRows(5));
  // The sd of f is that of the noise, as good as exactly where other points are far.
  EXPECT_LT(found.variance.maxCoeff(), 1.01e-4);
  EXPECT_GT(found.variance.maxCoeff(), 0.9e-4);
  for (Index i = 0; i < 5; ++i) EXPECT_NEAR(found.mean(i), problem.y(i), 0.02) << i;
}

TEST_P(PredictorOf, PointsDoNotDependOnTheirCompany) {
  predictor->condition(problem.psi);
  Matrix new_x = normal_matrix(9, 2, 6);
  new_x.row(8) = new_x.row(0);
  const Moments together = predictor->moments(new_x);
  const Moments alone = predictor->moments(new_x.topRows(1));
  const double allowed = predictor->variance_error() * lambda() + 1e-10;
  EXPECT_NEAR(alone.mean(0), together.mean(0), 1e-10);
  EXPECT_NEAR(alone.variance(0), together.variance(0), allowed);
  EXPECT_NEAR(together.variance(8), together.variance(0), allowed);
}

TEST_P(PredictorOf, NoPointsHaveNoPredictions) {
  predictor->condition(problem.psi);
  const Moments none = predictor->moments(Matrix(0, 2));
  EXPECT_EQ(none.mean.size(), 0);
  EXPECT_EQ(none.variance.size(), 0);
}

INSTANTIATE_TEST_SUITE_P(Methods, PredictorOf,
                         ::testing::Combine(::testing::Values("exact", "float", "iterative"),
                                            ::testing::Values("rbf", "matern32-ard")));

// A factor in float is never good enough then, and one in double takes its place.
TEST(Predictor, WithoutAnyNoiseTrainingPointsComeBack) {
  Problem problem("matern12", 60, 2);
  problem.fix("lambda", 0);
  for (const char* method : {"exact", "float"}) {
    const auto predictor = make_predictor(problem.model, problem.x, problem.y, {.method = method});
    predictor->condition(problem.psi);
    const Moments found = predictor->moments(problem.x.topRows(5));
    EXPECT_LT((found.mean - problem.y.head(5)).cwiseAbs().maxCoeff(), 1e-9) << method;
    EXPECT_LT(found.variance.maxCoeff(), 1e-9) << method;
  }
}

TEST(Predictor, TakesExactWhereItFits) {
  const Problem problem("rbf", 50, 2);
  const auto name = [&](std::size_t memory) {
    return make_predictor(problem.model, problem.x, problem.y, {.memory = memory})->name();
  };
  EXPECT_EQ(name(1'000'000), "exact");
  EXPECT_EQ(name(10'000), "iterative");
  EXPECT_THROW(make_predictor(problem.model, problem.x, problem.y, {.method = "guess"}),
               InputError);
}

// Where float has too few digits for the condition number, double takes over.
TEST(Predictor, FloatStepsAsideWhereItIsNotGoodEnough) {
  const Problem problem("rbf", 200, 1);
  Vector psi = problem.psi;
  psi(2) = std::log(1e-7);
  const auto fast = make_predictor(problem.model, problem.x, problem.y, {.method = "float"});
  const auto exact = make_predictor(problem.model, problem.x, problem.y, {.method = "exact"});
  const Matrix new_x = normal_matrix(5, 1, 3);
  fast->condition(psi);
  exact->condition(psi);
  EXPECT_EQ(fast->name(), "float, and exact where that is not enough");
  EXPECT_EQ(fast->moments(new_x).variance, exact->moments(new_x).variance);
  EXPECT_EQ(fast->covariance(new_x), exact->covariance(new_x));
  EXPECT_EQ(fast->variance_error(), 0);
  fast->condition(problem.psi);
  EXPECT_GT(fast->variance_error(), 0);
  EXPECT_LT(fast->variance_error(), 0.01);
}

// The error is smallest at the training points, where it is looked at, and many times larger
// between and beyond them.
TEST(Predictor, FloatKnowsWhatItLosesAwayFromTheData) {
  const Problem problem("rbf", 400, 2);
  for (const double noise : {0.3, 0.03, 0.003, 0.001}) {
    Vector psi = problem.psi;
    psi(2) = psi(0) + std::log(noise);
    const auto fast = make_predictor(problem.model, problem.x, problem.y, {.method = "float"});
    const auto exact = make_predictor(problem.model, problem.x, problem.y, {.method = "exact"});
    fast->condition(psi);
    exact->condition(psi);
    const Matrix new_x = 1.7 * normal_matrix(300, 2, 4);
    const Vector error = fast->moments(new_x).variance - exact->moments(new_x).variance;
    EXPECT_LE(error.cwiseAbs().maxCoeff() / std::exp(psi(2)), fast->variance_error() + 1e-12)
        << noise;
  }
}

// 16 of the points are looked at, and the error at the other 284 is within what was said.
TEST(Predictor, FloatIsLookedAtWhereItPredicts) {
  const Problem problem("rbf", 400, 2);
  const Matrix new_x = 1.7 * normal_matrix(300, 2, 4);
  for (const double noise : {0.3, 0.03, 0.003}) {
    Vector psi = problem.psi;
    psi(2) = psi(0) + std::log(noise);
    const auto fast = make_predictor(problem.model, problem.x, problem.y,
                                     {.method = "float", .points = some_rows(new_x)});
    const auto exact = make_predictor(problem.model, problem.x, problem.y, {.method = "exact"});
    fast->condition(psi);
    exact->condition(psi);
    if (noise > 0.1) {
      EXPECT_EQ(fast->name(), "float") << "with less noise it is for the processor to say";
    }
    const Vector error = fast->moments(new_x).variance - exact->moments(new_x).variance;
    EXPECT_LE(error.cwiseAbs().maxCoeff() / std::exp(psi(2)), fast->variance_error()) << noise;
  }
}

// Noise that hides what float loses of the target's variance does not hide it of the function's.
// Whether float is taken depends on the processor's rounding; what it gives must be right where it
// is taken.
TEST(Predictor, FloatKeepsTheFunctionsOwnVarianceWhereThatIsAskedFor) {
  const Problem problem("rbf", 400, 1);
  const Matrix points = some_rows(normal_matrix(50, 1, 4));
  for (double sigma = 1; sigma < 300; sigma *= 1.5) {
    Vector psi = problem.psi;
    psi(0) = std::log(sigma);
    psi(1) = std::log(1e-3);  // smooth: 400 rows know the function to a hundredth of the noise
    psi(2) = std::log(0.1);
    const auto fast = make_predictor(problem.model, problem.x, problem.y,
                                     {.method = "float", .points = points, .latent = true});
    const auto exact = make_predictor(problem.model, problem.x, problem.y, {.method = "exact"});
    fast->condition(psi);
    exact->condition(psi);
    const Vector right = exact->moments(points).variance;
    const Vector error = fast->moments(points).variance - right;
    EXPECT_LE((error.array().abs() / right.array()).maxCoeff(), 0.02) << sigma;
  }
}

TEST(Predictor, ADrawWithoutNoiseIsRefusedInWords) {
  const Problem problem("rbf", 60, 1);
  Vector psi = problem.psi;
  psi(1) = -20;
  psi(2) = -80;
  const auto predictor = make_predictor(problem.model, problem.x, problem.y, {.method = "exact"});
  EXPECT_TRUE(testing::contains(testing::message_of([&] { predictor->condition(psi); }),
                                "not positive definite"));
}

}  // namespace
}  // namespace ulisse
