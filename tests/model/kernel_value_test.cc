// The kernel between two points: values against a textbook's formulas, derivatives against finite
// differences, for kernels by chance.

#include <gtest/gtest.h>

#include "support/derivatives.h"
#include "support/plain_model.h"
#include "support/random_kernels.h"

namespace ulisse {
namespace {

using testing::mixed_table;

constexpr unsigned kKernels = 200;

Model model_of(unsigned seed, const Dataset& data) {
  return make_model(ModelOptions{.kernel = testing::RandomKernels(seed).expression()}, data);
}

TEST(KernelValue, IsTheFormulaOfATextbook) {
  const Dataset data = mixed_table(12, 1);
  for (unsigned seed = 0; seed < kKernels; ++seed) {
    const Model model = model_of(seed, data);
    SCOPED_TRACE(model.given.kernel);
    const Vector psi = testing::random_psi(model, seed);
    const testing::PlainModel plain(model, psi);
    const auto parameters = unpack(model.kernel, model.layout.kernel_psi(psi), model.dimensions);
    for (Index i = 0; i < data.x.rows(); ++i) {
      const auto expected = static_cast<double>(plain.between(data.x.row(0), data.x.row(i)));
      EXPECT_NEAR(evaluate(model.kernel, parameters, data.x.row(0), data.x.row(i)).value, expected,
                  1e-14 * variance_of(parameters));
    }
    EXPECT_NEAR(model.signal_variance(psi), variance_of(parameters), 1e-15);
  }
}

TEST(KernelValue, DerivativesMeetFiniteDifferences) {
  const Dataset data = mixed_table(6, 2);
  for (unsigned seed = 0; seed < kKernels; ++seed) {
    const Model model = model_of(seed, data);
    SCOPED_TRACE(model.given.kernel);
    const Vector psi = model.layout.kernel_psi(testing::random_psi(model, seed));
    const auto at = [&](const Vector& p, Index i) {
      return evaluate(model.kernel, unpack(model.kernel, p, model.dimensions), data.x.row(0),
                      data.x.row(i));
    };
    for (Index i = 0; i < data.x.rows(); ++i) {
      const Vector numerical =
          testing::gradient_of([&](const Vector& p) { return at(p, i).value; }, psi);
      EXPECT_LE((at(psi, i).gradient - numerical).norm(), 1e-9) << "row " << i;
    }
  }
}

TEST(KernelValue, ACircleComesBackAfterItsPeriod) {
  const Dataset data = mixed_table(2, 3);
  const Model model = make_model(ModelOptions{.kernel = "periodic(day,0.7)"}, data);
  const auto parameters = unpack(model.kernel, Vector{{0.0, 1.0}}, model.dimensions);
  RowVector a = data.x.row(0), b = a;
  b(2) += 0.7 * 5;
  EXPECT_NEAR(evaluate(model.kernel, parameters, a, b).value, 1, 1e-12);
  b(2) = a(2) + 0.35;  // the chord is the diameter
  EXPECT_NEAR(evaluate(model.kernel, parameters, a, b).value, std::exp(-4 * std::exp(1.0)), 1e-14);
}

TEST(KernelValue, TwoLevelsDifferByADistanceOfOne) {
  const Dataset data = mixed_table(2, 3);
  const Model model = make_model(ModelOptions{.kernel = "matern12(site)"}, data);
  const auto parameters = unpack(model.kernel, Vector{{0.0, std::log(4.0)}}, model.dimensions);
  RowVector a = data.x.row(0), b = a;
  for (const double other : {1.0, 2.0, 3.0}) {
    a(3) = 0;
    b(3) = other;
    EXPECT_DOUBLE_EQ(evaluate(model.kernel, parameters, a, b).value, std::exp(-2.0));
  }
}

// A period is in the units of the file's column, and shapes see the scaled one.
TEST(KernelValue, PeriodsAreScaledWithTheirColumn) {
  const Dataset data = mixed_table(30, 4, false);
  Dataset in_days = data;
  in_days.x.col(2) = (data.x.col(2) * 365.25).array() + 1000;
  const Standardisation scaling = standardisation_of(in_days);
  const Model model = make_model(ModelOptions{.kernel = "periodic(day,100)*rbf(east)"}, in_days);
  const Matrix x = scaling.scale_x(in_days.x);
  const Model fitted = scaled(model, scaling);
  const Vector psi = Vector::Zero(3);
  const double sd = scaling.x_sd(0);
  for (Index i = 0; i < 30; ++i) {
    const double turn = std::numbers::pi * (in_days.x(i, 2) - in_days.x(0, 2)) / 100;
    const double east = (data.x(i, 0) - data.x(0, 0)) / sd;
    const double expected = std::exp(-4 * std::pow(std::sin(turn), 2) - east * east);
    const auto parameters = unpack(fitted.kernel, psi, fitted.dimensions);
    EXPECT_NEAR(evaluate(fitted.kernel, parameters, x.row(0), x.row(i)).value, expected, 1e-11);
  }
}

}  // namespace
}  // namespace ulisse
