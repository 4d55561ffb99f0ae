// Names of kernels, and psi taken apart.

#include <gtest/gtest.h>

#include <cmath>

#include "support/error_message.h"
#include "ulisse/kernel.h"

namespace ulisse {
namespace {

using testing::contains;
using testing::message_of;

TEST(Kernel, NamesAreReadBack) {
  for (const char* name : {"rbf", "rbf-ard", "matern12", "matern12-ard", "matern32", "matern32-ard",
                           "matern52", "matern52-ard"}) {
    EXPECT_EQ(name_of(parse_kernel(name)), name);
  }
  const auto factor_of = [](const char* name) { return parse_kernel(name).terms[0].factors[0]; };
  EXPECT_EQ(factor_of("matern32-ard").shape, Shape::matern32);
  EXPECT_TRUE(factor_of("matern32-ard").ard);
  EXPECT_FALSE(factor_of("matern32").ard);
}

TEST(Kernel, AnUnknownNameIsAnErrorThatListsTheNames) {
  for (const char* name :
       {"", "RBF", "rbf ", "rbf-", "-ard", "rbf-ard-ard", "matern", "matern72"}) {
    const std::string message = message_of([&] { parse_kernel(name); });
    EXPECT_TRUE(message.starts_with("there is no kernel '" + std::string(name) + "'")) << message;
    EXPECT_TRUE(
        message.ends_with("; the kernels are rbf, rbf-ard, matern12, matern12-ard, "
                          "matern32, matern32-ard, matern52, matern52-ard"))
        << message;
  }
}

TEST(Kernel, ASlipOfTheNameGetsASuggestion) {
  const std::string message = message_of([] { parse_kernel("mattern52"); });
  EXPECT_TRUE(message.starts_with("there is no kernel 'mattern52' (did you mean 'matern52'?);"))
      << message;
}

TEST(Kernel, UnpackTakesTheExponentialsApart) {
  const Vector psi = (Vector(2) << 0.5, -1).finished();
  const KernelParameters p = unpack(parse_kernel("rbf"), psi, 4);
  EXPECT_DOUBLE_EQ(p[0].sigma, std::exp(0.5));
  EXPECT_TRUE(p[0].tau[0].isApprox(Vector::Constant(4, std::exp(-1.0)), 1e-15));
}

TEST(Kernel, UnpackGivesArdKernelsATauForEachInput) {
  const Vector psi = (Vector(4) << 0.5, -1, 0, 1).finished();
  const KernelParameters p = unpack(parse_kernel("matern52-ard"), psi, 3);
  EXPECT_DOUBLE_EQ(p[0].sigma, std::exp(0.5));
  EXPECT_TRUE(p[0].tau[0].isApprox(psi.segment(1, 3).array().exp().matrix(), 1e-15));
}

TEST(Kernel, UnpackRefusesTheWrongLengthAndNamesIt) {
  const auto error_for = [](const char* kernel, Index length, Index d) {
    return message_of<std::invalid_argument>(
        [&] { unpack(parse_kernel(kernel), Vector::Zero(length), d); });
  };
  EXPECT_EQ(error_for("rbf", 3, 2), "psi has 3 elements, the kernel rbf in 2 dimensions has 2");
  EXPECT_EQ(error_for("rbf-ard", 2, 2),
            "psi has 2 elements, the kernel rbf-ard in 2 dimensions has 3");
  EXPECT_TRUE(contains(error_for("rbf", 0, 2), "psi has 0 elements"));
  EXPECT_EQ(error_for("rbf-ard", 3, 2), "no error");
}

}  // namespace
}  // namespace ulisse
