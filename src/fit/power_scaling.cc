#include "fit/power_scaling.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "base/json_text.h"
#include "model/prior_quantity.h"
#include "ulisse/diagnose.h"

namespace ulisse {

namespace {

using Json = nlohmann::ordered_json;

// More do not change what is said.
constexpr Index kMostDraws = 4000;

std::vector<Index> sorted_places(const Vector& values) {
  std::vector<Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return values(a) < values(b); });
  return order;
}

// a log2(2 a / (a + b)), which is 0 for a = 0.
double of_entropy(double a, double b) { return a > 0 ? a * std::log2(2 * a / (a + b)) : 0; }

// Of the distribution functions on the sorted values, squared and not yet divided by its bound;
// from above, the survival functions.
double one_sided_distance(const Vector& sorted, const Vector& weights) {
  double below = 0, weighted_below = 0, divergence = 0, bound = 0;
  const auto each = 1 / static_cast<double>(sorted.size());
  for (Index i = 0; i + 1 < sorted.size(); ++i) {
    below += each;
    weighted_below += weights(i);
    const double width = std::abs(sorted(i + 1) - sorted(i));
    divergence += width * (of_entropy(below, weighted_below) + of_entropy(weighted_below, below));
    bound += width * (below + weighted_below);
  }
  return bound > 0 ? std::sqrt(std::max(0.0, divergence / bound)) : 0;
}

// Which sum to 1. A finite log density is not asked for: what is none gives NaN.
Vector weights_of(const Vector& log_density, double power) {
  const Vector logs = (power - 1) * log_density;
  const Vector weights = (logs.array() - logs.maxCoeff()).exp();
  return weights / weights.sum();
}

double effective_share(const Vector& weights) {
  return 1 / (weights.squaredNorm() * static_cast<double>(weights.size()));
}

double weighted_quantile(const Vector& values, const Vector& weights, double probability) {
  double below = 0;
  const std::vector<Index> order = sorted_places(values);
  for (const Index i : order) {
    below += weights(i);
    if (below >= probability) return values(i);
  }
  return values(order.back());
}

// Of the quantity that the prior is stated on, which may fall as theta rises.
Interval interval_of(const Vector& psi, const Vector& weights, const StatedPrior& on) {
  const auto quantity = [&](double probability) {
    return on.constant * std::exp(on.power * weighted_quantile(psi, weights, probability));
  };
  if (on.power < 0) return {quantity(0.95), quantity(0.05)};
  return {quantity(0.05), quantity(0.95)};
}

// Weights by 1 / power and by power.
struct Scaled {
  double power;
  Vector weak, strong;

  Scaled(const Vector& log_density, double to)
      : power(to), weak(weights_of(log_density, 1 / to)), strong(weights_of(log_density, to)) {}

  double share() const { return std::min(effective_share(weak), effective_share(strong)); }

  // How the draws move for a factor of two in the power, as priorsense has it.
  double sensitivity(const Vector& psi) const {
    return (cumulative_distance(psi, weak) + cumulative_distance(psi, strong)) /
           (2 * std::log2(power));
  }
};

// A prior far from the draws would leave few of them.
Scaled scaled_as_far_as_draws_go(const Vector& log_density) {
  constexpr double kLeastShare = 0.3, kLeastPower = 1.005;
  double power = PriorEffect{}.power;
  while (power > kLeastPower && !(Scaled(log_density, power).share() >= kLeastShare)) {
    power = std::sqrt(power);
  }
  return {log_density, power};
}

// All chains together, thinned.
Vector thinned(const Matrix& draws) {
  const Index step = (draws.size() + kMostDraws - 1) / kMostDraws;
  const Index count = (draws.size() + step - 1) / step;
  Vector kept(count);
  for (Index i = 0; i < count; ++i) kept(i) = draws.reshaped()(i * step);
  return kept;
}

class Scaling {
 public:
  Scaling(const FitDraws& draws, const Model& model, bool exact_log_density)
      : draws_(draws), model_(model) {
    Vector of_likelihood = thinned(draws.log_density);
    for (std::size_t j = 0; j < draws.theta.size(); ++j) {
      psi_.push_back(thinned(draws.theta[j]).array().log());
      const StatedPrior& prior = model.layout.at(static_cast<Index>(j)).prior;
      log_prior_.push_back(
          psi_[j].unaryExpr([&](double psi) { return prior.log_density_psi(psi).value; }));
      of_likelihood -= log_prior_[j];
    }
    if (!exact_log_density || !of_likelihood.allFinite()) return;
    likelihood_ = scaled_as_far_as_draws_go(of_likelihood);
  }

  PriorEffect largest_effect_of(std::size_t j) const {
    const Scaled prior = scaled_as_far_as_draws_go(log_prior_[j]);
    PriorEffect effect{.prior_of = draws_.parameters[j], .power = prior.power};
    effect.by_default = model_.layout.at(static_cast<Index>(j)).prior.by_default;
    std::size_t most = j;
    for (std::size_t k = 0; k < psi_.size(); ++k) {
      const double found = prior.sensitivity(psi_[k]);
      if (!(found > effect.sensitivity) && k > 0) continue;
      effect.sensitivity = found;
      most = k;
    }
    describe(most, prior, effect);
    return effect;
  }

 private:
  void describe(std::size_t k, const Scaled& prior, PriorEffect& effect) const {
    const StatedPrior& on = model_.layout.at(static_cast<Index>(k)).prior;
    effect.moves = name_of({draws_.parameters[k], on.quantity});
    effect.in_data_units = on.data_units;
    if (likelihood_) effect.likelihood = likelihood_->sensitivity(psi_[k]);
    effect.effective_draws = diagnose::ess_bulk(draws_.theta[k]) * prior.share();
    const auto n = psi_[k].size();
    effect.now = interval_of(psi_[k], Vector::Constant(n, 1 / static_cast<double>(n)), on);
    effect.weak = interval_of(psi_[k], prior.weak, on);
    effect.strong = interval_of(psi_[k], prior.strong, on);
  }

  const FitDraws& draws_;
  const Model& model_;
  std::vector<Vector> psi_, log_prior_;
  std::optional<Scaled> likelihood_;  // where it is known
};

Json to_json(const Interval& interval) {
  return {{"q5", json_number(interval.q5)}, {"q95", json_number(interval.q95)}};
}

}  // namespace

double cumulative_distance(const Vector& values, const Vector& weights) {
  const std::vector<Index> order = sorted_places(values);
  const Vector sorted = values(order), in_order = weights(order);
  return std::max(one_sided_distance(sorted, in_order),
                  one_sided_distance(sorted.reverse(), in_order.reverse()));
}

std::vector<PriorEffect> prior_effects(const FitDraws& draws, const Model& model,
                                       bool exact_log_density) {
  if (draws.draws() == 0 || model.layout.size() != static_cast<Index>(draws.theta.size())) {
    return {};
  }
  const Scaling scaling(draws, model, exact_log_density);
  std::vector<PriorEffect> effects;
  for (std::size_t j = 0; j < draws.theta.size(); ++j) {
    effects.push_back(scaling.largest_effect_of(j));
  }
  return effects;
}

Json to_json(const std::vector<PriorEffect>& effects) {
  Json json = Json::object();
  for (const PriorEffect& e : effects) {
    json[e.prior_of] = {{"moves", e.moves},
                        {"sensitivity", json_number(e.sensitivity)},
                        {"likelihood_sensitivity", json_number(e.likelihood)},
                        {"power", json_number(e.power)},
                        {"effective_draws", json_number(e.effective_draws)},
                        {"interval", to_json(e.now)},
                        {"interval_weaker_prior", to_json(e.weak)},
                        {"interval_stronger_prior", to_json(e.strong)}};
  }
  return json;
}

}  // namespace ulisse
