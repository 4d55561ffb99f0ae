// Points where the posterior cannot be computed are rejected with a reason; misuse throws.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/memory.h"
#include "support/error_message.h"
#include "support/gamma_priors.h"
#include "support/random_points.h"
#include "ulisse/exact.h"

namespace ulisse {
namespace {

using testing::contains;
using testing::message_of;
using testing::normal_matrix;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Vector psi_of(double sigma, double tau, double lambda) {
  return (Vector(3) << std::log(sigma), std::log(tau), std::log(lambda)).finished();
}

// Points that stand there twice.
ExactPosterior with_duplicates(Index points = 100) {
  const Matrix x = normal_matrix(points, 2, 1).replicate(2, 1);
  return {make_model(parse_kernel("rbf"), 2, testing::kGammaPriors), x,
          normal_matrix(2 * points, 1, 2)};
}

void expect_rejected(const LogDensity& density, const std::string& reason) {
  EXPECT_TRUE(density.rejected());
  EXPECT_EQ(density.value, -kInfinity);
  EXPECT_EQ(density.gradient.size(), 0);
  EXPECT_TRUE(contains(density.rejection, reason)) << density.rejection;
}

TEST(ExactPosterior, DuplicatesWithoutNoiseAreRejectedByName) {
  const ExactPosterior posterior = with_duplicates();
  const Vector psi = psi_of(2, 0.5, 1e-300);
  for (const LogDensity& density : {posterior.log_density(psi), posterior.log_likelihood(psi),
                                    posterior.log_density_and_gradient(psi)}) {
    expect_rejected(density, "K is not positive definite in floating point");
    EXPECT_TRUE(contains(density.rejection, "sigma = 2, tau = 0.5, lambda = 1e-300"))
        << density.rejection;
  }
}

TEST(ExactPosterior, WithNoiseDuplicatesAreAccepted) {
  EXPECT_FALSE(with_duplicates().log_density(psi_of(2, 0.5, 0.01)).rejected());
}

TEST(ExactPosterior, RejectedNeighboursMakeTheHessianNan) {
  EXPECT_TRUE(with_duplicates().hessian(psi_of(2, 0.5, 1e-300)).array().isNaN().all());
}

TEST(ExactPosterior, PsiThatIsNotFiniteIsRejected) {
  const ExactPosterior posterior = with_duplicates();
  for (const double bad : {kNan, kInfinity, -kInfinity}) {
    for (Index i = 0; i < 3; ++i) {
      Vector psi = psi_of(1, 1, 0.1);
      psi(i) = bad;
      expect_rejected(posterior.log_density(psi), "not finite");
      expect_rejected(posterior.log_density_and_gradient(psi), "not finite");
    }
  }
}

TEST(ExactPosterior, ParametersBeyondFloatingPointAreRejected) {
  const ExactPosterior posterior = with_duplicates();
  for (const Index i : {0, 1, 2}) {
    Vector psi = psi_of(1, 1, 0.1);
    psi(i) = 800;
    expect_rejected(posterior.log_density(psi), "out of the range of floating point");
  }
}

// A chain file had 0 for them, and no command could read the fit.
TEST(ExactPosterior, ParametersTooSmallToBeWrittenAreRejected) {
  const ExactPosterior posterior = with_duplicates();
  for (const Index i : {0, 1, 2}) {
    for (const double far : {-709.0, -745.0, -1e6}) {
      Vector psi = psi_of(1, 1, 0.1);
      psi(i) = far;
      expect_rejected(posterior.log_density(psi), "out of the range of floating point");
    }
  }
}

// Far out: an answer or a rejection, never NaN.
TEST(ExactPosterior, NoPsiGivesNan) {
  const ExactPosterior posterior = with_duplicates(20);
  for (const double s : {-800.0, -700.0, -300.0, -30.0, 0.0, 30.0, 300.0, 700.0, 800.0}) {
    for (const double t : {-800.0, -700.0, -30.0, 0.0, 30.0, 700.0}) {
      for (const double l : {-800.0, -700.0, -30.0, 0.0, 30.0, 700.0}) {
        const LogDensity density =
            posterior.log_density_and_gradient((Vector(3) << s, t, l).finished());
        EXPECT_FALSE(std::isnan(density.value)) << s << ", " << t << ", " << l;
        if (density.rejected()) continue;
        EXPECT_TRUE(density.gradient.allFinite()) << s << ", " << t << ", " << l;
      }
    }
  }
}

TEST(ExactPosterior, PsiOfTheWrongLengthIsMisuse) {
  EXPECT_THROW(with_duplicates().log_density(Vector::Zero(2)), std::invalid_argument);
  EXPECT_THROW(with_duplicates().log_density(Vector::Zero(4)), std::invalid_argument);
}

TEST(ExactPosterior, DataOfTheWrongSizeAreMisuse) {
  const Model model = make_model(parse_kernel("rbf"), 2, testing::kGammaPriors);
  const auto error_for = [&](Index x_rows, Index y_rows, Index d) {
    return message_of<std::invalid_argument>(
        [&] { ExactPosterior(model, normal_matrix(x_rows, d, 3), normal_matrix(y_rows, 1, 4)); });
  };
  EXPECT_EQ(error_for(100, 99, 2), "y has 99 rows, X has 100");
  EXPECT_NE(error_for(0, 0, 2), "no error");
  EXPECT_EQ(error_for(10, 10, 3), "X has 3 columns, the model 2 inputs");
}

// 2 n^2 doubles are 64 TB: refused before anything of that size is allocated.
TEST(ExactPosterior, TooManyRowsAreAnInputErrorThatNamesTheMemory) {
  const Index n = 2'000'000;
  const Vector x = Vector::LinSpaced(n, 0, 1), y = Vector::Zero(n);
  const std::size_t before = peak_memory_bytes();
  const std::string message = message_of(
      [&] { ExactPosterior(make_model(parse_kernel("rbf"), 1, testing::kGammaPriors), x, y); });
  EXPECT_TRUE(contains(message, "2000000 rows needs 32.0 TB")) << message;
  EXPECT_LT(peak_memory_bytes() - before, 200'000'000U);
}

}  // namespace
}  // namespace ulisse
