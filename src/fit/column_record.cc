#include "fit/column_record.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "data/date.h"

namespace ulisse {

namespace {

using Json = nlohmann::ordered_json;

std::size_t place_of(const std::string& name, const JsonReader& at,
                     const std::vector<std::string>& columns) {
  const auto found = std::find(columns.begin(), columns.end(), name);
  if (found == columns.end()) at.refuse("of columns that are among the features");
  return static_cast<std::size_t>(found - columns.begin());
}

template <class T>
bool has_any(const std::vector<T>& values) {
  return std::any_of(values.begin(), values.end(), [](const T& value) { return !value.empty(); });
}

// An object with columns as its keys, of those that have a value.
template <class T>
Json by_column(const std::vector<std::string>& columns, const std::vector<T>& values) {
  Json json = Json::object();
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!values[k].empty()) json[columns[k]] = values[k];
  }
  return json;
}

// And back: `read` is called with what stands there for a column, and the column's value.
template <class T, class Read>
void read_by_column(const JsonReader& json, const std::vector<std::string>& columns,
                    std::vector<T>& values, const Read& read) {
  if (!json.json().is_object()) json.refuse("an object with columns as its keys");
  values.assign(columns.size(), T());
  for (const auto& [name, ignored] : json.json().items()) {
    read(json.at(name), values[place_of(name, json, columns)]);
  }
}

void read_levels(const JsonReader& json, std::vector<std::string>& levels) {
  levels = json.texts();
  std::vector<std::string> sorted = levels;
  std::sort(sorted.begin(), sorted.end());
  if (levels.empty() || std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
    json.refuse("a list of different levels");
  }
}

void read_day(const JsonReader& json, std::string& day) {
  day = json.text();
  if (!csv::parse_date(day)) json.refuse("a date like 1958-03-29");
}

// Its column by name.
struct NoiseRecord {
  std::string column, kind;

  template <class V>
  void fields(V& v) {
    v("column", column, Needed{});
    v("kind", kind, Needed{});
  }
};

}  // namespace

bool LevelsOf::has(const Values& levels) const { return has_any(levels); }
Json LevelsOf::write(const Values& levels) const { return by_column(columns, levels); }
void LevelsOf::read(const JsonReader& json, Values& levels) const {
  read_by_column(json, columns, levels, read_levels);
}

bool FirstDaysOf::has(const Values& days) const { return has_any(days); }
Json FirstDaysOf::write(const Values& days) const { return by_column(columns, days); }
void FirstDaysOf::read(const JsonReader& json, Values& days) const {
  read_by_column(json, columns, days, read_day);
}

Json NoiseOf::write(const KnownNoise& noise) const {
  return written(NoiseRecord{.column = columns[static_cast<std::size_t>(noise.column)],
                             .kind = noise.is_variance ? "variance" : "sd"});
}

void NoiseOf::read(const JsonReader& json, KnownNoise& noise) const {
  NoiseRecord record;
  JsonFieldsReader reader(json);
  record.fields(reader);
  if (record.kind != "sd" && record.kind != "variance") json.at("kind").refuse("sd or variance");
  const JsonReader column = json.at("column");
  noise = {static_cast<Index>(place_of(record.column, column, columns)), record.kind == "variance"};
}

}  // namespace ulisse
