#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/option_names.h"
#include "fit/summary.h"

namespace ulisse {

// A summary for people: tables, and a sentence for each finding. It names options as a front end
// does.
std::string to_text(const FitSummary& summary, OptionNames names = OptionNames::command_line);

// to_json(summary) with "warnings", a sentence for each finding.
nlohmann::ordered_json summary_json(const FitSummary& summary,
                                    OptionNames names = OptionNames::command_line);

// How far draws of a surrogate may be from the posterior, and what that rests on; or why there is
// none. Empty where none was tried.
std::string about_the_surrogate(const FitSummary& summary);

// Why the sampler `ulisse` made exact steps; empty where it did not.
std::string about_exact_steps(const FitSummary& summary, OptionNames names);

}  // namespace ulisse
