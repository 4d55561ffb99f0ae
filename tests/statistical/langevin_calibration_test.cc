// Simulation-based calibration of the samplers on stochastic gradients.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "fit/chains.h"
#include "fit/fit_record.h"
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

constexpr int kBins = 8;

// Every thin-th draw after warm-up: (count, parameters).
template <class S>
Matrix thinned_draws(S& sampler, std::uint64_t seed, int count, int thin) {
  Matrix draws;
  int i = 0;
  const auto next = [&] {
    Rng rng = stream(seed, 0, Purpose::transition, static_cast<std::uint64_t>(i++));
    return sampler.step(rng).psi;
  };
  while (sampler.warming_up()) next();
  for (Index row = 0; row < count; ++row) {
    for (int t = 1; t < thin; ++t) next();
    const Vector psi = next();
    draws.conservativeResize(count, psi.size());
    draws.row(row) = psi.transpose();
  }
  return draws;
}

Dataset table_of(const Model& model, const SimulatedData& simulated) {
  Dataset data;
  data.x = simulated.x;
  data.y = simulated.y;
  data.known_noise = model.noise.known;
  return data;
}

// Thinned by twice the autocorrelation time, 4/eps.
int thinning(double step) { return static_cast<int>(std::ceil(8 / step)); }

constexpr int kDraws = 63, kWarmup = 200;

// Fewer than those in which all steps are exact, or sooner so, for time, and without these rules:
// steps are Langevin's. In hard posteriors they are exact, and a trajectory of nuts has nearly
// forgotten where it began.
constexpr Index kRows = 160;
constexpr int kThinningOfExact = 2;

// The parameters, and the log density, which notices what each of them alone does not.
Matrix with_density(const ExactPosterior& posterior, const Matrix& draws) {
  Matrix all(draws.rows(), draws.cols() + 1);
  all.leftCols(draws.cols()) = draws;
  for (Index i = 0; i < draws.rows(); ++i) {
    all(i, draws.cols()) = posterior.log_density(draws.row(i).transpose()).value;
  }
  return all;
}

// How steps were made in the replicates of a test.
struct StepsMade {
  std::atomic<int> langevin = 0, surrogate = 0, corrected = 0;
};

FitSettings ulisse_settings_of(std::uint64_t seed, bool with_surrogate) {
  FitSettings settings = settings_for("ulisse", "default", kRows);
  settings.seed = seed;
  settings.chains = 1;
  settings.warmup = kWarmup;
  settings.backend = "cached";
  set_options({{"exact_rows", 0L}, {"careful_rows", 0L}, {"no_surrogate", !with_surrogate}},
              settings);
  return settings;
}

// Counts how steps were made; every so many draws are nearly independent.
int thinning_of(const SetupRecord& setup, StepsMade& made) {
  constexpr int kThinningOfCorrected = 4;
  if (setup.certificate) {
    ++made.surrogate;
    return kThinningOfExact;
  }
  if (setup.proposal_acceptance > 0) {
    ++made.corrected;
    return kThinningOfCorrected;
  }
  if (setup.exact) return kThinningOfExact;
  ++made.langevin;
  return thinning(setup.step);
}

// Where one replicate's set-up is kept: another run's would be gone on with.
struct SetupFolder {
  explicit SetupFolder(int replicate)
      : path(std::filesystem::temp_directory_path() /
             fmt::format("ulisse_calibration_{}_{}", ::getpid(), replicate)) {
    std::filesystem::create_directories(path);
  }
  ~SetupFolder() { std::filesystem::remove_all(path); }
  SetupFolder(const SetupFolder&) = delete;
  SetupFolder& operator=(const SetupFolder&) = delete;

  std::filesystem::path path;
};

CalibrationReplicate ulisse_replicate(const Model& model, int replicate, bool with_surrogate,
                                      StepsMade& made) {
  const auto seed = static_cast<std::uint64_t>(replicate);
  const SimulatedData simulated = simulate_data(model, kRows, seed);
  const SetupFolder folder(replicate);
  const auto fit =
      make_chains(ulisse_settings_of(seed, with_surrogate), model, table_of(model, simulated),
                  {.setup_file = folder.path / "setup", .watch = [](const auto&) {}});
  FitRecord about;
  fit->describe(about);
  const int thin = thinning_of(*about.setup, made);
  const ExactPosterior posterior(model, simulated.x, simulated.y);
  return {with_density(posterior, simulated.psi.transpose()).row(0).transpose(),
          with_density(posterior, thinned_draws(*fit->chains()[0], seed, kDraws, thin))};
}

void expect_calibrated(const Model& model, bool with_surrogate, StepsMade& made,
                       int replicates = 32) {
  const Matrix ranks = calibration_ranks(
      replicates, [&](int i) { return ulisse_replicate(model, i, with_surrogate, made); });
  ::testing::Test::RecordProperty(
      "steps", fmt::format("of {}: {} langevin, {} surrogate, {} corrected", ranks.rows(),
                           made.langevin.load(), made.surrogate.load(), made.corrected.load()));
  expect_uniform(ranks, kDraws, kBins, 1e-3);
}

void expect_langevin_is_calibrated(const Model& model, double least_share, int replicates = 32) {
  StepsMade made;
  expect_calibrated(model, false, made, replicates);
  EXPECT_TRUE(testing::kSanitized || made.langevin > least_share * replicates) << made.langevin;
}

// A false alarm once in a thousand.
TEST(Ulisse, RanksOfTheTruthAreUniform) {
  expect_langevin_is_calibrated(make_model(parse_kernel("rbf"), 1, testing::kGammaPriors), 0.4);
}

// Under these priors an input often hardly matters: the posteriors are skewed, with long tails. A
// false alarm once in a thousand.
TEST(Ulisse, RanksOfTheTruthAreUniformWithALengthScaleForEachInput) {
  expect_langevin_is_calibrated(make_model(parse_kernel("rbf-ard"), 2, testing::kGammaPriors), 0.3);
}

// With a trend, a sum, a product and known noise. A false alarm once in a thousand.
TEST(Ulisse, RanksOfTheTruthAreUniformInACompositeModel) {
  expect_langevin_is_calibrated(testing::composite_model(), 0.1, 24);
}

// Draws of surrogates, certified or corrected. A false alarm once in a thousand.
TEST(Ulisse, RanksOfTheTruthAreUniformByASurrogate) {
  StepsMade made;
  expect_calibrated(make_model(parse_kernel("rbf"), 1, testing::kGammaPriors), true, made);
  // Of these wide posteriors few can be certified.
  EXPECT_TRUE(testing::kSanitized || made.surrogate > 0) << made.surrogate;
}

TEST(Ulisse, RanksOfTheTruthAreUniformByASurrogateWithALengthScaleForEachInput) {
  StepsMade made;
  expect_calibrated(make_model(parse_kernel("rbf-ard"), 2, testing::kGammaPriors), true, made, 16);
  EXPECT_TRUE(testing::kSanitized || made.surrogate + made.corrected > 4)
      << made.surrogate << " " << made.corrected;
}

// sgld takes some thirty times as many iterations for an independent draw: fewer draws, fewer rows.
constexpr int kSgldDraws = 15;
constexpr Index kSgldRows = 50;

CalibrationReplicate sgld_replicate(int replicate) {
  const Model model = make_model(parse_kernel("rbf"), 1, testing::kGammaPriors);
  const auto seed = static_cast<std::uint64_t>(replicate);
  const SimulatedData simulated = simulate_data(model, kSgldRows, seed);
  FitSettings settings = settings_for("sgld", "default", kSgldRows);
  settings.seed = seed;
  settings.chains = 1;
  settings.backend = "cached";
  const auto fit =
      make_chains(settings, model, table_of(model, simulated), {.watch = [](const auto&) {}});
  Chain& chain = *fit->chains()[0];
  return {simulated.psi, thinned_draws(chain, seed, kSgldDraws,
                                       thinning(std::get<double>(settings.own.at("first_step"))))};
}

// A false alarm once in a thousand.
TEST(Sgld, RanksOfTheTruthAreUniform) {
  expect_uniform(calibration_ranks(128, sgld_replicate), kSgldDraws, kBins, 1e-3);
}

}  // namespace
}  // namespace ulisse
