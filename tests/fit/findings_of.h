#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/summaries.h"
#include "ulisse/findings.h"

namespace ulisse::testing {

using Code = Finding::Code;

inline ChainRecord quiet_chain() { return {.frozen_by_noise = true}; }

inline std::vector<Code> codes_of(const FitSummary& s, long divergent = 0) {
  std::vector<Code> codes;
  for (const Finding& each : findings_of(s, divergent)) codes.push_back(each.code);
  return codes;
}

// The only one there is.
inline Finding finding_of(const FitSummary& s, long divergent = 0) {
  Findings found = findings_of(s, divergent);
  EXPECT_EQ(found.size(), 1U);
  return found.empty() ? Finding{} : found[0];
}

inline std::vector<std::string> options_of(const Finding& finding) {
  std::vector<std::string> options;
  for (const auto& remedy : finding.remedies) options.push_back(remedy.option);
  return options;
}

using Options = std::vector<std::string>;
using Codes = std::vector<Code>;

}  // namespace ulisse::testing
