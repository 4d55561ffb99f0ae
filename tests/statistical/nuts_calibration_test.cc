// Simulation-based calibration: data drawn from the model, and where the truth ranks among the
// draws.

#include <gtest/gtest.h>

#include "predict/exact_predictor.h"
#include "sample/nuts.h"
#include "statistical/calibration.h"
#include "statistical/simulated_data.h"
#include "support/gamma_priors.h"
#include "ulisse/exact.h"

namespace ulisse {
namespace {

using testing::calibration_ranks;
using testing::CalibrationReplicate;
using testing::expect_uniform;
using testing::simulate_data;
using testing::SimulatedData;

constexpr int kDraws = 63, kBins = 8, kWarmup = 150, kThin = 3;
constexpr Index kRows = 30;

// The parameters, a draw of the trend's coefficients given them, and the log density, which notices
// what each of them alone does not, such as draws that ignore the data (Modrak et al. 2023).
Vector quantities(const Vector& psi, const Vector& trend, double log_density) {
  return (Vector(psi.size() + trend.size() + 1) << psi, trend, log_density).finished();
}

// Every kThin-th draw after warm-up: (kDraws, quantities).
template <class S>
Matrix thinned_draws(S& sampler, Predictor& predictor, std::uint64_t seed) {
  Matrix draws;
  for (int i = 0; i < kWarmup + kDraws * kThin; ++i) {
    Rng rng = stream(seed, 0, Purpose::transition, static_cast<std::uint64_t>(i));
    const Transition transition = sampler.step(rng);
    if (i < kWarmup || (i - kWarmup) % kThin != 0) continue;
    predictor.condition(transition.psi);
    const TrendGivenData& trend = predictor.trend();
    const Vector row = quantities(transition.psi, trend.draw(rng.normal_vector(trend.size())),
                                  transition.log_density);
    draws.conservativeResize(kDraws, row.size());
    draws.row((i - kWarmup) / kThin) = row.transpose();
  }
  return draws;
}

CalibrationReplicate nuts_replicate(const Model& model, int replicate) {
  const auto seed = static_cast<std::uint64_t>(replicate);
  const SimulatedData data = simulate_data(model, kRows, seed);
  const ExactPosterior posterior(model, data.x, data.y);
  const Mode mode = find_mode(posterior, data.x, data.y);
  const Index p = model.parameter_count();
  const Matrix metric = mode.covariance.size() > 0 ? mode.covariance : Matrix::Identity(p, p);
  Nuts nuts(posterior, mode.psi, metric, {.warmup = kWarmup});
  ExactPredictor predictor(model, data.x, data.y);
  return {quantities(data.psi, data.trend, posterior.log_density(data.psi).value),
          thinned_draws(nuts, predictor, seed)};
}

// A false alarm once in a thousand.
TEST(Nuts, RanksOfTheTruthAreUniform) {
  const Model model = make_model(parse_kernel("rbf"), 1, testing::kGammaPriors);
  const auto run = [&](int i) { return nuts_replicate(model, i); };
  expect_uniform(calibration_ranks(128, run), kDraws, kBins, 1e-3);
}

// With a trend, a sum, a product and known noise; of the trend's coefficients, too. A false alarm
// once in a thousand.
TEST(Nuts, RanksOfTheTruthAreUniformInACompositeModel) {
  const Model model = testing::composite_model();
  const auto run = [&](int i) { return nuts_replicate(model, i); };
  expect_uniform(calibration_ranks(96, run), kDraws, kBins, 1e-3);
}

}  // namespace
}  // namespace ulisse
