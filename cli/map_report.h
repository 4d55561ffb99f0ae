#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "data_options.h"
#include "ulisse/exact.h"

namespace ulisse::cli {

// What `ulisse map` found, and what from.
struct MapResult {
  LoadedData loaded;
  Index subset = 0;  // as asked for; 0 for all rows
  std::uint64_t seed = 1;
  Index rows = 0;  // that were used
  Mode mode;
  std::string message;  // empty when there is nothing to say
  double seconds = 0;

  // Or so near to one that it makes no difference.
  bool is_mode() const { return mode.converged || distance_from_mode(mode) < kNearMode; }
};

// Stands alone: names the data, the model and what was done to them.
nlohmann::ordered_json to_json(const MapResult& result);

void print_table(const MapResult& result);

}  // namespace ulisse::cli
