#include "fit/sampler_choice.h"

#include <fmt/format.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/clock.h"
#include "base/memory.h"
#include "base/option_names.h"
#include "base/watch.h"
#include "fit/chains.h"
#include "fit/sampler_kind.h"
#include "ulisse/backend.h"
#include "ulisse/covariance.h"
#include "ulisse/error.h"
#include "ulisse/exact.h"
#include "ulisse/threads.h"

namespace ulisse {

namespace {

using Code = Reason::Code;

constexpr Index kTimedRows = 1000, kTimedProductRows = 4000, kColumns = 5;

template <class F>
double best_seconds(const F& f) {
  double best = INFINITY;
  for (int i = 0; i < 3; ++i) {
    const double start = seconds_now();
    f();
    best = std::min(best, seconds_now() - start);
  }
  return best;
}

// How long it takes hardly depends on it, nor on the data's scale.
Vector typical_psi(const Model& model) {
  const double log_inverse = -std::log(static_cast<double>(model.dimensions));
  return model.layout.psi_with(
      {.log_signal_variance = 0,
       .log_noise_variance = std::log(0.1),
       .log_inverse_squared_length = [=](const Parameter&) { return log_inverse; }});
}

// As many at once as chains would run.
template <class F>
double exact_seconds(Index n, const F& f) {
  const int at_once = n < kSideBySideRows ? std::min(threads(), 4) : 1;
  return best_seconds([&] { tbb::parallel_for(0, at_once, [&](int) { f(); }); }) / at_once;
}

}  // namespace

SamplerCosts measure_costs(const Model& model, const Dataset& raw) {
  const Index n = raw.x.rows();
  const Vector psi = typical_psi(model);
  const auto rows_of = [&](Index most) { return random_subset(n, most, 0); };
  SamplerCosts costs;
  WatchStep step;
  step.say([] { return "choosing a sampler, timing exact likelihoods"; });
  {
    const Indices rows = rows_of(kTimedRows);
    const Matrix x = raw.x(rows, Eigen::all);
    const Vector y = raw.y(rows);
    const ExactPosterior posterior(model, x, y);
    const double growth = std::pow(static_cast<double>(n) / static_cast<double>(rows.size()), 3);
    costs.likelihood = growth * exact_seconds(n, [&] { posterior.log_density(psi); });
    costs.gradient = growth * exact_seconds(n, [&] { posterior.log_density_and_gradient(psi); });
  }
  step.say([] { return "choosing a sampler, timing products"; });
  const Indices rows = rows_of(kTimedProductRows);
  const auto covariance =
      make_covariance(model, raw.x(rows, Eigen::all), {.backend = exact_backend()});
  const auto k = covariance->at(psi);
  const Matrix v = Matrix::Ones(k->size(), kColumns);
  Matrix product(k->size(), kColumns);
  costs.product = std::pow(static_cast<double>(n) / static_cast<double>(rows.size()), 2) *
                  best_seconds([&] { k->apply(v, product); });
  return costs;
}

namespace {

struct Candidate {
  const SamplerKind* kind = nullptr;
  double seconds = std::numeric_limits<double>::infinity();
};

// The quickest of those that are exact, or of those that are not.
Candidate quickest(bool exact, Index n, Index parameters, const SamplerCosts& costs) {
  Candidate best;
  for (const SamplerKind& kind : sampler_kinds()) {
    if (kind.exact != exact || !kind.expected_seconds) continue;
    const double seconds = kind.expected_seconds(costs, n, parameters);
    if (seconds < best.seconds) best = {&kind, seconds};
  }
  return best;
}

// Both times, and what the other would take where its steps have to be exact.
std::vector<Finding::Named> values_of(const Candidate& exact, const Candidate& other, Index n,
                                      Index parameters, const SamplerCosts& costs) {
  std::vector<Finding::Named> values = {{"rows", double(n)},
                                        {"exact", exact.kind->name},
                                        {"exact_seconds", exact.seconds},
                                        {"other", other.kind->name},
                                        {"other_seconds", other.seconds}};
  if (other.kind->seconds_of_exact_steps) {
    values.push_back(
        {"exact_steps_seconds", other.kind->seconds_of_exact_steps(costs, n, parameters)});
  }
  return values;
}

// The first sampler that has the preset: its own.
SamplerChoice choice_for(const std::string& preset) {
  for (const SamplerKind& kind : sampler_kinds()) {
    for (const std::string& known : kind.presets) {
      if (known == preset) return {kind.name, {Code::sampler_of_preset, {{"preset", preset}}}};
    }
  }
  throw InputError(fmt::format("{}: there is none called '{}'", option_named("preset"), preset));
}

}  // namespace

// Where an exact sampler is quick, or no slower, its exactness decides.
SamplerChoice choose_sampler(Index n, Index parameters, const SamplerCosts& costs,
                             std::size_t memory) {
  constexpr double kQuickSeconds = 300;
  const Candidate exact = quickest(true, n, parameters, costs);
  const Candidate other = quickest(false, n, parameters, costs);
  const double matrices = 8.0 * static_cast<double>(n) * static_cast<double>(n) *
                          (n < kSideBySideRows ? std::min(threads(), 4) : 1);
  if (matrices > static_cast<double>(memory)) {
    return {other.kind->name, {Code::exact_needs_memory, {{"rows", double(n)}}}};
  }
  const auto values = values_of(exact, other, n, parameters, costs);
  if (exact.seconds <= other.seconds) return {exact.kind->name, {Code::exact_quickest, values}};
  return exact.seconds <= kQuickSeconds
             ? SamplerChoice{exact.kind->name, {Code::exact_quick_enough, values}}
             : SamplerChoice{other.kind->name, {Code::exact_too_slow, values}};
}

SamplerChoice choose_sampler(const std::string& sampler, const std::string& preset,
                             const Dataset& raw, const Model& model, std::size_t memory) {
  if (sampler != kAutomaticSampler) return {sampler};
  if (preset != "default") return choice_for(preset);
  return choose_sampler(raw.x.rows(), model.parameter_count(), measure_costs(model, raw),
                        memory > 0 ? memory : machine_memory_bytes() / 2);
}

}  // namespace ulisse
