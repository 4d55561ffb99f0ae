#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "fit/fit_draws.h"
#include "ulisse/model.h"

// How much priors and data say of each parameter, from the draws alone: Kallioinen et al. 2023.
// Draws are weighted by prior^(alpha - 1), or likelihood^(alpha - 1), and seen to move.
namespace ulisse {

struct Interval {
  double q5 = NAN, q95 = NAN;
};

// What the prior of one parameter does to another, or to itself.
struct PriorEffect {
  std::string prior_of, moves;  // "lambda"; what moves as its own prior is stated, "lengthscale"
  double sensitivity = NAN;     // distance of the draws by a factor of two in alpha
  double likelihood = NAN;      // the same of the likelihood; NaN where draws do not carry it
  // The powers are this and its inverse: a prior that is lognormal gets a standard deviation 0.89
  // or 1.12 times as large. Where that would leave too few draws it is nearer to 1.
  double power = 1.25;
  double effective_draws = NAN;  // that the weights leave of the draws
  Interval now, weak, strong;    // 90 % of what moves, a positive number
  bool in_data_units = false;    // what moves, else that of standardised columns
  bool by_default = false;       // nobody has stated the prior
};

// For each prior the parameter that it moves most. None where there are no draws.
std::vector<PriorEffect> prior_effects(const FitDraws& draws, const Model& model,
                                       bool exact_log_density);

// The cumulative Jensen-Shannon distance of draws and the same draws with weights, from 0 to 1.
double cumulative_distance(const Vector& values, const Vector& weights);

nlohmann::ordered_json to_json(const std::vector<PriorEffect>& effects);

}  // namespace ulisse
