#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "fit/sampler_record.h"

namespace ulisse {

// Bias of the sampler `ulisse`, at most, in posterior standard deviations, as measured.
struct BiasBudget {
  // Of draws of a surrogate, in the place of discretisation: how far they may be from the posterior
  // that gradients are of.
  std::optional<double> surrogate;
  double discretisation = 0;        // of standard deviations, by Stein's identity over the draws
  double discretisation_error = 0;  // Monte Carlo error of that
  double anchor = 0;                // of means, by the error of the gradient at the mode
  double anchor_goal = INFINITY;    // what that was to be at most: the option mode_gradient_error
  double bank = 0;                  // of means, by the finite bank of probes
  double bank_spread = 0;           // of standard deviations, by the same
  double solver = 0;                // of means, by the tolerance of solves at the mode
  double products = 0;              // of means, by products in float or by trees
  bool exact_anchor = false;
  double step = NAN;  // the shortest of the chains'
};

// Nothing for other samplers, or without draws. Chains have matrices of the same size.
std::optional<BiasBudget> bias_budget(const std::optional<SetupRecord>& setup,
                                      const std::vector<ChainRecord>& chains);

nlohmann::ordered_json to_json(const BiasBudget& budget);

}  // namespace ulisse
