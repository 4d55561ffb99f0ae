#include "fit/sampler_choice.h"

#include <fmt/format.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "base/clock.h"
#include "base/memory.h"
#include "base/watch.h"
#include "fit/chains.h"
#include "ulisse/covariance.h"
#include "ulisse/exact.h"
#include "ulisse/setup_problem.h"
#include "ulisse/threads.h"

namespace ulisse {

namespace {

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
  Vector psi =
      Vector::Constant(model.parameter_count(), -std::log(static_cast<double>(model.dimensions)));
  psi(0) = 0;
  psi(psi.size() - 1) = std::log(0.1);
  return psi;
}

// As many at once as chains would run.
template <class F>
double exact_seconds(Index n, const F& f) {
  const int at_once = n < kSideBySideRows ? std::min(threads(), 4) : 1;
  return best_seconds([&] { tbb::parallel_for(0, at_once, [&](int) { f(); }); }) / at_once;
}

std::string about(double seconds) {
  if (seconds < 90) return fmt::format("{:.2g} s", seconds);
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.2g} h", seconds / 3600);
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
      make_covariance(model.kernel, raw.x(rows, Eigen::all), {.backend = "dense"});
  const auto k = covariance->at(psi);
  const Matrix v = Matrix::Ones(k->size(), kColumns);
  Matrix product(k->size(), kColumns);
  costs.product = std::pow(static_cast<double>(n) / static_cast<double>(rows.size()), 2) *
                  best_seconds([&] { k->apply(v, product); });
  return costs;
}

SamplerChoice choose_sampler(Index n, Index parameters, const SamplerCosts& costs,
                             std::size_t memory) {
  constexpr Index kFewParameters = 4;
  // Of the default numbers of iterations, four chains together: mh looks at one likelihood in each,
  // nuts at some seven gradients; ulisse takes some eight products, thirty where many parameters
  // ask for fresh probes, and before it starts those of a few hundred iterations. Where an exact
  // sampler is quick, or no slower, its exactness decides.
  constexpr double kQuick = 300;
  const bool gradients = parameters > kFewParameters;
  const double exact = gradients ? 4 * 800 * 7 * costs.gradient : 4 * 1500 * costs.likelihood;
  const double iterations = n <= SetupProblem::kExactModeRows ? 800 : 600;
  const double ulisse = (4 * iterations + 400) * (gradients ? 30 : 8) * costs.product;
  const double matrices = 8.0 * static_cast<double>(n) * static_cast<double>(n) *
                          (n < kSideBySideRows ? std::min(threads(), 4) : 1);
  if (matrices > static_cast<double>(memory)) {
    return {"ulisse", fmt::format("an exact likelihood of {} rows does not fit in memory", n)};
  }
  const std::string exact_name = gradients ? "nuts" : "mh";
  const std::string exact_time =
      fmt::format("on the exact likelihood of {} rows {} would take about {} here", n, exact_name,
                  about(exact));
  if (exact > kQuick && exact > ulisse) {
    return {"ulisse",
            fmt::format("{}, ulisse about {}{}", exact_time, about(ulisse),
                        n <= SetupProblem::kExactModeRows
                            ? fmt::format(" (or {} where the posterior asks for exact steps)",
                                          about(4 * iterations * 7 * costs.gradient))
                            : "")};
  }
  return {exact_name,
          fmt::format("{}{}", exact_time,
                      exact > ulisse ? ", which is quick enough to be exact"
                                     : fmt::format(", no more than ulisse ({})", about(ulisse)))};
}

SamplerChoice choose_sampler(const std::string& sampler, const std::string& preset,
                             const Dataset& raw, const Model& model, std::size_t memory) {
  if (sampler != "auto") return {sampler, ""};
  if (preset == "paper") return {"sgld", "the paper's sampler"};
  return choose_sampler(raw.x.rows(), model.parameter_count(), measure_costs(model, raw),
                        memory > 0 ? memory : machine_memory_bytes() / 2);
}

}  // namespace ulisse
