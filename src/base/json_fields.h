#pragma once

#include <cmath>
#include <concepts>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json_reader.h"
#include "base/json_text.h"

// Records to JSON and back by the one function that names their members,
//
//   template <class V> void fields(V& v) {
//     v("step", step);
//     v("bend", bend, NullIs{INFINITY});
//   }
//
// A number that is not finite is written as null. An optional member that has no value, and a
// matrix of which there is nothing, are not written. A member may be a record itself, or a list of
// them.
namespace ulisse {

// Rules of members. One with other rules than these brings both directions along, and says whether
// there is anything to write:
//
//   struct Rule {
//     bool has(const T& value) const;
//     nlohmann::ordered_json write(const T& value) const;
//     void read(const JsonReader& json, T& value) const;  // not called where the key is missing
//   };

// What is written as null is read as this; without it null is refused.
struct NullIs {
  double value;
};
// A number from 0 to 1.
struct Share {};
// The words for true and false.
struct Words {
  const char* yes;
  const char* no;
};
// A key that must be there.
struct Needed {};
// Written only where it is something else, which is what it is where the key is missing.
template <class T>
struct Unless {
  T initial;
};
template <class T>
Unless(T) -> Unless<T>;
inline const Unless<std::vector<std::string>> kUnlessEmpty = {{}};
// Written only where this holds.
struct When {
  bool holds;
};
// At least this.
struct From {
  long least;
};

template <class Rule, class T>
concept RuleFor = requires(const Rule& rule, const JsonReader& json, T& value) {
  { rule.has(value) } -> std::same_as<bool>;
  { rule.write(value) } -> std::convertible_to<nlohmann::ordered_json>;
  rule.read(json, value);
};

class JsonWriter {
 public:
  explicit JsonWriter(nlohmann::ordered_json& json) : json_(json) {}

  template <class T>
  void operator()(const char* name, T& value) {
    if constexpr (requires { value.fields(*this); }) {
      within(name, [&](auto& inner) { value.fields(inner); });
    } else {
      json_[name] = json_of(value);
    }
  }
  template <class T, class... Rule>
  void operator()(const char* name, std::optional<T>& value, const Rule&... rule) {
    if (value) (*this)(name, *value, rule...);
  }
  template <class T>
  void operator()(const char* name, T& value, const Unless<T>& unless) {
    if (value != unless.initial) (*this)(name, value);
  }
  template <class T, class Rule>
  requires RuleFor<Rule, T>
  void operator()(const char* name, T& value, const Rule& rule) {
    if (rule.has(value)) json_[name] = rule.write(value);
  }
  template <class T>
  void operator()(const char* name, T& value, Needed) {
    (*this)(name, value);
  }
  template <class T>
  void operator()(const char* name, T& value, When when) {
    if (when.holds) (*this)(name, value);
  }
  template <class T>
  void operator()(const char* name, T& value, From) {
    (*this)(name, value);
  }
  template <class T>
  void operator()(const char* name, T& value, NullIs) {
    (*this)(name, value);
  }
  void operator()(const char* name, Matrix& value, NullIs) {
    if (value.size() > 0) (*this)(name, value);
  }
  void operator()(const char* name, double value, Share) { json_[name] = value; }
  void operator()(const char* name, bool value, Words words) {
    json_[name] = value ? words.yes : words.no;
  }
  // The members of an object within.
  template <class Members>
  void within(const char* name, const Members& members) {
    JsonWriter inner(json_[name]);
    members(inner);
  }

 private:
  using Json = nlohmann::ordered_json;

  template <class T>
  static Json json_of(const T& value) {
    return value;
  }
  static Json json_of(double value) { return json_number(value); }
  static Json json_of(const Vector& value) { return json_numbers(value); }
  static Json json_of(const Matrix& value) {
    Json rows = Json::array();
    for (Index i = 0; i < value.rows(); ++i) {
      Json& row = rows.emplace_back(Json::array());
      for (Index j = 0; j < value.cols(); ++j) row.push_back(json_number(value(i, j)));
    }
    return rows;
  }
  static Json json_of(const std::vector<double>& values) {
    Json list = Json::array();
    for (const double value : values) list.push_back(json_number(value));
    return list;
  }
  template <class T>
  requires requires(T& value, JsonWriter& writer) { value.fields(writer); }
  static Json json_of(const std::vector<T>& values) {
    Json list = Json::array();
    for (T value : values) {  // fields() serves readers, too
      JsonWriter inner(list.emplace_back(Json::object()));
      value.fields(inner);
    }
    return list;
  }

  Json& json_;
};

// All of a record; fields() serves readers, too, and so takes a copy.
template <class T>
nlohmann::ordered_json written(T record) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  JsonWriter writer(json);
  record.fields(writer);
  return json;
}

// Leaves members as they are that are not there; refuses values that are not what they must be.
class JsonFieldsReader {
 public:
  explicit JsonFieldsReader(const JsonReader& json) : json_(json) {}

  template <class T, class... Rule>
  void operator()(const char* name, T& value, const Rule&... rule) {
    if (json_.has(name)) read(json_.at(name), value, rule...);
  }
  template <class T>
  void operator()(const char* name, T& value, Needed) {
    read(json_.at(name), value);
  }
  template <class Members>
  void within(const char* name, const Members& members) {
    if (!json_.has(name)) return;
    JsonFieldsReader inner(json_.at(name));
    members(inner);
  }

 private:
  static void read(const JsonReader& at, std::string& value) { value = at.text(); }
  static void read(const JsonReader& at, std::vector<std::string>& value) { value = at.texts(); }
  static void read(const JsonReader& at, bool& value) { value = at.truth(); }
  static void read(const JsonReader& at, double& value) { value = at.number(); }
  static void read(const JsonReader& at, long& value) { value = at.whole(); }
  static void read(const JsonReader& at, Vector& value) { value = at.numbers(); }
  static void read(const JsonReader& at, std::vector<long>& values) {
    values.clear();
    for (const JsonReader& item : at.items()) values.push_back(item.whole());
  }
  static void read(const JsonReader& at, std::vector<double>& values, NullIs null) {
    values.clear();
    for (const JsonReader& item : at.items()) values.push_back(item.number_or(null.value));
  }
  static void read(const JsonReader& at, Matrix& value, NullIs null) {
    const auto rows = static_cast<Index>(at.items().size());
    value = at.square_or(rows, null.value);
  }
  static void read(const JsonReader& at, double& value, NullIs null) {
    value = at.number_or(null.value);
  }
  static void read(const JsonReader& at, double& value, Share) {
    value = at.number();
    if (!(value >= 0 && value <= 1)) at.refuse("a number from 0 to 1");
  }
  static void read(const JsonReader& at, double& value, From from) {
    value = at.number();
    if (!(value >= static_cast<double>(from.least)))
      at.refuse("a number from " + std::to_string(from.least) + " on");
  }
  static void read(const JsonReader& at, long& value, From from) { value = at.whole(from.least); }
  static void read(const JsonReader& at, bool& value, Words words) {
    const std::string text = at.text();
    if (text != words.yes && text != words.no) {
      at.refuse("\"" + std::string(words.yes) + "\" or \"" + words.no + "\"");
    }
    value = text == words.yes;
  }
  template <class T>
  static void read(const JsonReader& at, T& value, const Unless<T>& /*rule*/) {
    read(at, value);
  }
  template <class T>
  static void read(const JsonReader& at, T& value, When) {
    read(at, value);
  }
  template <class T, class Rule>
  requires RuleFor<Rule, T>
  static void read(const JsonReader& at, T& value, const Rule& rule) { rule.read(at, value); }
  template <class T, class... Rule>
  static void read(const JsonReader& at, std::optional<T>& value, const Rule&... rule) {
    read(at, value.emplace(), rule...);
  }
  template <class T>
  requires requires(T& value, JsonFieldsReader& reader) { value.fields(reader); }
  static void read(const JsonReader& at, T& value) {
    JsonFieldsReader inner(at);
    value.fields(inner);
  }
  template <class T>
  requires requires(T& value, JsonFieldsReader& reader) { value.fields(reader); }
  static void read(const JsonReader& at, std::vector<T>& values) {
    values.clear();
    for (const JsonReader& item : at.items()) read(item, values.emplace_back());
  }

  JsonReader json_;
};

// The keys of a record.
class FieldNames {
 public:
  template <class T, class... Rule>
  void operator()(const char* name, T& /*value*/, const Rule&... /*rule*/) {
    names_.emplace_back(name);
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
};

}  // namespace ulisse
