#pragma once

#include "fit/summary.h"
#include "ulisse/findings.h"

namespace ulisse {

// What is wrong with a fit; nothing where draws can be used. `divergent` counts trajectories.
Findings findings_of(const FitSummary& summary, long divergent);
Findings findings_of(const BiasBudget& budget);

// Parts of the former, by subject; they add to `findings`.
void judge_run(const FitSummary& summary, Findings& findings);     // status, lengths of chains
void judge_chains(const FitSummary& summary, Findings& findings);  // R-hat, effective sample sizes
void judge_modes(const FitSummary& summary, Findings& findings);
void judge_priors(const FitSummary& summary, Findings& findings);
void judge_sgld(const FitSummary& summary, Findings& findings);
void judge_ulisse(const FitSummary& summary, Findings& findings);

}  // namespace ulisse
