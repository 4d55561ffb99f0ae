#include "fit/column_record.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_reader.h"
#include "data/date.h"

namespace ulisse {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kLevels = "levels";
constexpr const char* kFirstDays = "first_days";
constexpr const char* kNoise = "known_noise";
constexpr const char* kDropMissing = "drop_missing";

std::size_t place_of(const std::string& name, const JsonReader& at, const FitRecord::Data& data) {
  const auto found = std::find(data.features.begin(), data.features.end(), name);
  if (found == data.features.end()) at.refuse("of columns that are among the features");
  return static_cast<std::size_t>(found - data.features.begin());
}

void read_levels(const JsonReader& json, FitRecord::Data& data) {
  data.levels.resize(data.features.size());
  for (const auto& [name, ignored] : json.json().items()) {
    std::vector<std::string> levels = json.at(name).texts();
    std::vector<std::string> sorted = levels;
    std::sort(sorted.begin(), sorted.end());
    if (levels.empty() || std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
      json.at(name).refuse("a list of different levels");
    }
    data.levels[place_of(name, json, data)] = std::move(levels);
  }
}

void read_first_days(const JsonReader& json, FitRecord::Data& data) {
  data.first_days.resize(data.features.size());
  for (const auto& [name, ignored] : json.json().items()) {
    const std::string day = json.at(name).text();
    if (!csv::parse_date(day)) json.at(name).refuse("a date like 1958-03-29");
    data.first_days[place_of(name, json, data)] = day;
  }
}

void read_noise(const JsonReader& json, FitRecord::Data& data) {
  const std::string kind = json.at("kind").text();
  if (kind != "sd" && kind != "variance") json.at("kind").refuse("sd or variance");
  data.known_noise = {
      static_cast<Index>(place_of(json.at("column").text(), json.at("column"), data)),
      kind == "variance"};
}

// Objects of columns by their names.
void check_object(const JsonReader& json) {
  if (!json.json().is_object()) json.refuse("an object with columns as its keys");
}

}  // namespace

void add_columns(const Dataset& raw, Json& data) {
  for (std::size_t k = 0; k < raw.levels.size(); ++k) {
    if (!raw.levels[k].empty()) data[kLevels][raw.features[k]] = raw.levels[k];
  }
  for (std::size_t k = 0; k < raw.first_days.size(); ++k) {
    if (!raw.first_days[k].empty()) data[kFirstDays][raw.features[k]] = raw.first_days[k];
  }
  if (const auto& noise = raw.known_noise) {
    data[kNoise] = {{"column", raw.features[static_cast<std::size_t>(noise->column)]},
                    {"kind", noise->is_variance ? "variance" : "sd"}};
  }
  if (!raw.rows.empty()) data[kDropMissing] = true;
}

void read_columns(const JsonReader& json, FitRecord::Data& data) {
  if (json.has(kLevels)) {
    check_object(json.at(kLevels));
    read_levels(json.at(kLevels), data);
  }
  if (json.has(kFirstDays)) {
    check_object(json.at(kFirstDays));
    read_first_days(json.at(kFirstDays), data);
  }
  if (json.has(kNoise)) read_noise(json.at(kNoise), data);
  json.read(kDropMissing, data.drop_missing);
}

}  // namespace ulisse
