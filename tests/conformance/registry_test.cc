// The table of backends, as programs see it.

#include <gtest/gtest.h>

#include <algorithm>

#include "support/error_message.h"
#include "support/random_points.h"
#include "ulisse/backend.h"
#include "ulisse/error.h"

namespace ulisse {
namespace {

using testing::normal_matrix;

bool is_known(const std::string& name) {
  const auto names = covariance_backends();
  return std::count(names.begin(), names.end(), name) == 1;
}

std::vector<std::string> usable_backends() {
  std::vector<std::string> names;
  for (const auto& name : covariance_backends()) {
    if (why_missing(backend_named(name)).empty()) names.push_back(name);
  }
  return names;
}

TEST(Backends, OneThatAProgramAddsIsKnownByItsName) {
  EXPECT_TRUE(is_known("stored"));
  const Matrix x = normal_matrix(20, 2, 1);
  const auto covariance = make_covariance(Kernel(), x, {.backend = "stored"});
  EXPECT_EQ(covariance->backend(), "stored");
  EXPECT_EQ(covariance->kept_bytes(), 20 * 20 * sizeof(double));
  EXPECT_THROW(make_covariance(Kernel(), x, {.backend = "stored", .memory_bytes = 1000}),
               InputError);
}

TEST(Backends, NamesAreUniqueAndAutoIsTaken) {
  for (const std::string name : {"stored", "dense", "auto", ""}) {
    Backend backend = backend_named("stored");
    backend.name = name;
    EXPECT_THROW(register_backend(backend), std::invalid_argument) << name;
  }
  EXPECT_THROW(register_backend({.name = "empty", .can = {}, .make = nullptr}),
               std::invalid_argument);
  EXPECT_FALSE(is_known("empty"));
}

TEST(Backends, AnUnknownNameIsAnErrorThatListsTheNames) {
  const Matrix x = normal_matrix(5, 2, 1);
  const std::string error =
      testing::message_of([&] { make_covariance(Kernel(), x, {.backend = "denes"}); });
  EXPECT_NE(error.find("there is no backend 'denes'; the backends are auto, reference, dense"),
            std::string::npos)
      << error;
}

TEST(Backends, TheExactOneKeepsNothingAndLosesNothing) {
  const Matrix x = normal_matrix(60, 2, 1);
  const auto covariance = make_covariance(Kernel(), x, {.backend = exact_backend()});
  EXPECT_EQ(covariance->kept_bytes(), 0U);
  EXPECT_EQ(covariance->at(Vector::Zero(3))->error_bound(), 0);
}

// The twin has the same model and points, and says itself what it loses.
TEST(Backends, LowerPrecisionIsTheSameCovarianceLessExactly) {
  const Matrix x = normal_matrix(60, 2, 1), v = normal_matrix(60, 3, 2);
  for (const auto& name : usable_backends()) {
    const auto covariance = make_covariance(Kernel(), x, {.backend = name});
    const auto lower = covariance->lower_precision();
    ASSERT_EQ(lower != nullptr, !backend_named(name).can.lower_precision.empty()) << name;
    if (!lower) continue;
    const auto k = covariance->at(Vector::Zero(3)), rough = lower->at(Vector::Zero(3));
    Matrix exact(60, 3), y(60, 3);
    k->apply(v, exact);
    rough->apply(v, y);
    EXPECT_NE(y, exact);
    EXPECT_LE((y - exact).cwiseAbs().maxCoeff(),
              rough->error_bound() * v.colwise().lpNorm<1>().maxCoeff());
    EXPECT_EQ(lower->lower_precision(), nullptr);
  }
}

TEST(Backends, CapabilitiesAreWhatOperatorsDo) {
  const Matrix x = normal_matrix(60, 2, 1);
  for (const auto& name : usable_backends()) {
    const auto k = make_covariance(Kernel(), x, {.backend = name})->at(Vector::Zero(3));
    EXPECT_EQ(k->error_bound() == 0, backend_named(name).can.exact()) << name;
  }
}

TEST(Backends, OneThatIsMissingHereSaysWhy) {
  Backend backend = backend_named("stored");
  backend.name = "absent";
  backend.can.missing = [] { return std::string("it is on the moon"); };
  register_backend(backend);
  EXPECT_FALSE(worth_a_trial(backend_named("absent")));
  const std::string error = testing::message_of(
      [] { make_covariance(Kernel(), normal_matrix(5, 2, 1), {.backend = "absent"}); });
  EXPECT_EQ(error, "the absent backend: it is on the moon");
}

// Before the first psi nothing is chosen, so that nothing is known of it.
TEST(Backends, AutoAnswersForWhatItHasChosen) {
  const auto covariance = make_covariance(Kernel(), normal_matrix(200, 2, 1), {.memory_bytes = 1});
  EXPECT_EQ(covariance->backend(), kAutomaticBackend);
  EXPECT_EQ(covariance->lower_precision(), nullptr);
  EXPECT_EQ(covariance->kept_bytes(), 0U);
  covariance->at(Vector::Zero(3));
  EXPECT_EQ(covariance->backend(), exact_backend());
  EXPECT_NE(covariance->lower_precision(), nullptr);
}

}  // namespace
}  // namespace ulisse
