#include "base/json_reader.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "ulisse/error.h"

namespace ulisse {

namespace {

// What a value is, for a message: a number or a text as it stands, in ASCII, since it may hold
// anything.
std::string what_is(const JsonReader::Json& json) {
  constexpr std::size_t kMaxTextBytes = 60;
  if (json.is_object()) return "an object";
  if (json.is_array()) return fmt::format("a list of {}", json.size());
  std::string text = json.dump(-1, ' ', true, JsonReader::Json::error_handler_t::replace);
  return text.size() > kMaxTextBytes ? text.substr(0, kMaxTextBytes) + "..." : text;
}

}  // namespace

// Deep nests would overflow the stack when they are printed.
JsonReader::Json JsonReader::parse(const std::string& text, const std::string& file) {
  constexpr int kMaxDepth = 32;
  const auto check_depth = [&](int depth, Json::parse_event_t, Json&) {
    if (depth > kMaxDepth) {
      throw InputError(fmt::format("{}: is nested more than {} levels deep", file, kMaxDepth));
    }
    return true;
  };
  Json json = Json::parse(text, check_depth, false);
  if (json.is_discarded()) throw InputError(fmt::format("{}: is damaged: it is no JSON", file));
  return json;
}

std::string JsonReader::path_of(const std::string& key) const {
  return path_.empty() ? key : path_ + "." + key;
}

void JsonReader::refuse(const std::string& what) const {
  throw InputError(fmt::format("{}:{} must be {}, is {}", file_,
                               path_.empty() ? "" : fmt::format(" {}:", path_), what,
                               what_is(*json_)));
}

bool JsonReader::has(const std::string& key) const {
  if (!json_->is_object()) refuse("an object");
  return json_->contains(key);
}

JsonReader JsonReader::at(const std::string& key) const {
  if (!has(key)) throw InputError(fmt::format("{}: {}: is missing", file_, path_of(key)));
  return {json_->at(key), file_, path_of(key)};
}

std::vector<JsonReader> JsonReader::items() const {
  if (!json_->is_array()) refuse("a list");
  std::vector<JsonReader> all;
  for (std::size_t i = 0; i < json_->size(); ++i) {
    all.push_back({json_->at(i), file_, fmt::format("{}[{}]", path_, i)});
  }
  return all;
}

std::string JsonReader::text() const {
  if (!json_->is_string()) refuse("a text");
  return json_->get<std::string>();
}

std::vector<std::string> JsonReader::texts() const {
  std::vector<std::string> all;
  for (const JsonReader& item : items()) all.push_back(item.text());
  return all;
}

bool JsonReader::truth() const {
  if (!json_->is_boolean()) refuse("true or false");
  return json_->get<bool>();
}

double JsonReader::number() const {
  if (!json_->is_number()) refuse("a number");
  return json_->get<double>();
}

double JsonReader::number_or(double where_null) const {
  if (json_->is_null()) return where_null;
  if (!json_->is_number()) refuse("a number or null");
  return json_->get<double>();
}

long JsonReader::whole(long least, long most) const {
  const std::string wanted = most == kMaxCount
                                 ? fmt::format("a whole number from {} on", least)
                                 : fmt::format("a whole number from {} to {}", least, most);
  // Beyond the largest long an unsigned number would turn negative.
  const bool fits =
      json_->is_number_integer() &&
      (!json_->is_number_unsigned() ||
       json_->get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<long>::max()));
  if (!fits || json_->get<long>() < least || json_->get<long>() > most) refuse(wanted);
  return json_->get<long>();
}

std::uint64_t JsonReader::seed() const {
  if (!json_->is_number_integer() || (!json_->is_number_unsigned() && json_->get<long>() < 0)) {
    refuse("a whole number that is not negative");
  }
  return json_->get<std::uint64_t>();
}

Vector JsonReader::numbers() const {
  const std::vector<JsonReader> all = items();
  Vector values(static_cast<Index>(all.size()));
  for (std::size_t i = 0; i < all.size(); ++i) values(static_cast<Index>(i)) = all[i].number();
  return values;
}

Vector JsonReader::numbers(Index count) const {
  if (!json_->is_array() || static_cast<Index>(json_->size()) != count) {
    refuse(fmt::format("a list of {} number{}", count, count == 1 ? "" : "s"));
  }
  return numbers();
}

Matrix JsonReader::square_or(Index size, double where_null) const {
  const std::string wanted = fmt::format("a list of {} rows of {} numbers each", size, size);
  if (!json_->is_array() || static_cast<Index>(json_->size()) != size) refuse(wanted);
  Matrix values(size, size);
  Index i = 0;
  for (const JsonReader& row : items()) {
    if (!row.json().is_array() || static_cast<Index>(row.json().size()) != size) refuse(wanted);
    Index j = 0;
    for (const JsonReader& value : row.items()) values(i, j++) = value.number_or(where_null);
    ++i;
  }
  return values;
}

void JsonReader::read(const std::string& key, std::string& value) const {
  if (has(key)) value = at(key).text();
}

void JsonReader::read(const std::string& key, std::vector<std::string>& value) const {
  if (has(key)) value = at(key).texts();
}

void JsonReader::read(const std::string& key, bool& value) const {
  if (has(key)) value = at(key).truth();
}

void JsonReader::read(const std::string& key, double& value) const {
  if (has(key)) value = at(key).number();
}

void JsonReader::read(const std::string& key, long& value) const {
  if (has(key)) value = at(key).whole();
}

void JsonReader::read(const std::string& key, int& value) const {
  if (has(key)) value = static_cast<int>(at(key).whole(0, std::numeric_limits<int>::max()));
}

void JsonReader::read(const std::string& key, std::uint64_t& value) const {
  if (has(key)) value = at(key).seed();
}

void JsonReader::read_or(const std::string& key, double& value, double where_null) const {
  if (has(key)) value = at(key).number_or(where_null);
}

}  // namespace ulisse
