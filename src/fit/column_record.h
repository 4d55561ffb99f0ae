#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "ulisse/dataset.h"

namespace ulisse {

class JsonReader;

// Rules (base/json_fields.h) of what fit.json's "data" says of columns that are more than numbers.
// Keys stand there only for tables that have such columns. `columns`: the inputs' names.

// Of each category its levels.
struct LevelsOf {
  const std::vector<std::string>& columns;
  using Values = std::vector<std::vector<std::string>>;
  bool has(const Values& levels) const;
  nlohmann::ordered_json write(const Values& levels) const;
  void read(const JsonReader& json, Values& levels) const;
};

// Of each date its first day.
struct FirstDaysOf {
  const std::vector<std::string>& columns;
  using Values = std::vector<std::string>;
  bool has(const Values& days) const;
  nlohmann::ordered_json write(const Values& days) const;
  void read(const JsonReader& json, Values& days) const;
};

// The column of known noise, and what it says.
struct NoiseOf {
  const std::vector<std::string>& columns;
  bool has(const KnownNoise&) const { return true; }
  nlohmann::ordered_json write(const KnownNoise& noise) const;
  void read(const JsonReader& json, KnownNoise& noise) const;
};

}  // namespace ulisse
