// Simulation-based calibration: data drawn from the model, and where the truth ranks among the
// draws.

#include <gtest/gtest.h>

#include "sample/nuts.h"
#include "statistical/calibration.h"
#include "statistical/simulated_data.h"
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

// The three parameters, and the log density, which notices what each of them alone does not, such
// as draws that ignore the data (Modrak et al. 2023).
Vector quantities(const Vector& psi, double log_density) {
  return (Vector(psi.size() + 1) << psi, log_density).finished();
}

// Every kThin-th draw after warm-up: (kDraws, 4).
template <class S>
Matrix thinned_draws(S& sampler, std::uint64_t seed) {
  Matrix draws(kDraws, 4);
  for (int i = 0; i < kWarmup + kDraws * kThin; ++i) {
    Rng rng = stream(seed, 0, Purpose::transition, static_cast<std::uint64_t>(i));
    const Transition transition = sampler.step(rng);
    if (i < kWarmup || (i - kWarmup) % kThin != 0) continue;
    draws.row((i - kWarmup) / kThin) = quantities(transition.psi, transition.log_density);
  }
  return draws;
}

CalibrationReplicate nuts_replicate(int replicate) {
  const Model model = make_model(parse_kernel("rbf"), 1);
  const auto seed = static_cast<std::uint64_t>(replicate);
  const SimulatedData data = simulate_data(model, kRows, seed);
  const ExactPosterior posterior(model, data.x, data.y);
  const Mode mode = find_mode(posterior, data.x, data.y);
  const Matrix metric = mode.covariance.size() > 0 ? mode.covariance : Matrix::Identity(3, 3);
  Nuts nuts(posterior, mode.psi, metric, {.warmup = kWarmup});
  return {quantities(data.psi, posterior.log_density(data.psi).value), thinned_draws(nuts, seed)};
}

// A false alarm once in a thousand.
TEST(Nuts, RanksOfTheTruthAreUniform) {
  expect_uniform(calibration_ranks(128, nuts_replicate), kDraws, kBins, 1e-3);
}

}  // namespace
}  // namespace ulisse
