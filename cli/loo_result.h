#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "ulisse/loo.h"

namespace ulisse::cli {

// What ulisse loo says of a fit.
struct LooResult {
  std::string folder;
  Loo loo;
  std::optional<Evidence> evidence = {};
  double seconds = 0;
};

nlohmann::ordered_json to_json(const LooResult& result);
void print_text(const LooResult& result);

// And ulisse compare of several.
nlohmann::ordered_json to_json(const std::vector<LooResult>& results,
                               const std::vector<LooDifference>& differences);
void print_text(const std::vector<LooResult>& results,
                const std::vector<LooDifference>& differences);

}  // namespace ulisse::cli
