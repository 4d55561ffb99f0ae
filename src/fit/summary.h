#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fit/bias_budget.h"
#include "fit/folder.h"
#include "fit/length_scales.h"
#include "ulisse/diagnose.h"

namespace ulisse {

// What a fit's folder says about the posterior, and how far to believe it.
struct FitSummary {
  std::string sampler, status;
  bool mode_converged = true;
  double other_modes = 0;  // share of the posterior at other modes, as far as the search saw
  double second_mode = 0;  // of the largest of these
  double other_draws = 0;  // share of the draws that are nearer to the largest of these
  long chains = 0, draws = 0, warmup = 0;                  // draws of each chain
  std::vector<diagnose::ParameterSummary> parameters;      // on the natural scale
  std::vector<diagnose::ParameterSummary> log_parameters;  // of psi = log(theta)
  std::vector<std::string> inputs;  // that parameters belong to; empty texts for those of none
  std::vector<LengthScale> length_scales;
  double seconds_setup = 0, seconds_warmup = 0, seconds_sampling = 0,
         seconds_per_independent_sample = 0;
  std::vector<std::string> warnings;
  std::vector<nlohmann::ordered_json> chain_details;  // fit.json's, such as steps and products
  nlohmann::ordered_json setup;                       // fit.json's, of the sampler ulisse
  std::optional<BiasBudget> bias;                     // of the sampler ulisse
};

FitSummary summarise_fit(const FitFolder& folder);

nlohmann::ordered_json to_json(const FitSummary& summary);
std::string to_text(const FitSummary& summary);

// Why the sampler `ulisse` made exact steps; empty where it did not.
std::string about_exact_steps(const FitSummary& summary);

// Whether there is another mode that the sampler does not reach, or has hardly been at.
bool misses_a_mode(const FitSummary& summary);

// What is wrong with a fit and what to do about it, one sentence each.
std::vector<std::string> warnings_of(const FitSummary& summary, long divergent);

}  // namespace ulisse
