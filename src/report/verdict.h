#pragma once

#include <string>
#include <vector>

#include "fit/summary.h"

namespace ulisse {

// Whether draws can be trusted, and why, in words.
struct Verdict {
  enum class Level { trust, caution, distrust };
  Level level = Level::trust;
  std::string headline;
  std::vector<std::string> reasons;  // what speaks for the draws; warnings come besides
};

Verdict verdict_of(const FitSummary& summary);

}  // namespace ulisse
