#include "fit/judge_fit.h"

namespace ulisse {

Findings findings_of(const FitSummary& s, long divergent) {
  Findings findings;
  judge_run(s, findings);
  judge_chains(s, findings);
  if (s.draws == 0) return findings;
  judge_modes(s, findings);
  judge_priors(s, findings);
  judge_sgld(s, findings);
  judge_ulisse(s, findings);
  if (divergent > 0) {
    findings.push_back(
        {.code = Finding::Code::divergent_trajectories,
         .values = {{"trajectories", double(divergent)}, {"of", double(s.draws * s.chains)}},
         .remedies = {{"priors", Finding::Remedy::Change::strengthen, {}}}});
  }
  return findings;
}

}  // namespace ulisse
