#pragma once

#include <cmath>
#include <concepts>
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
// A number that is not finite is written as null.
namespace ulisse {

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

class JsonWriter {
 public:
  explicit JsonWriter(nlohmann::ordered_json& json) : json_(json) {}

  template <class T>
  void operator()(const char* name, const T& value) {
    json_[name] = value;
  }
  void operator()(const char* name, const Vector& value) { json_[name] = json_numbers(value); }
  void operator()(const char* name, double value) { json_[name] = json_number(value); }
  void operator()(const char* name, double value, NullIs) { json_[name] = json_number(value); }
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
  nlohmann::ordered_json& json_;
};

// Leaves members as they are that are not there; refuses values that are not what they must be.
class JsonFieldsReader {
 public:
  explicit JsonFieldsReader(const JsonReader& json) : json_(json) {}

  template <class T>
  void operator()(const char* name, T& value) {
    json_.read(name, value);
  }
  void operator()(const char* name, Vector& value) {
    if (json_.has(name)) value = json_.at(name).numbers();
  }
  void operator()(const char* name, double& value, NullIs null) {
    json_.read_or(name, value, null.value);
  }
  void operator()(const char* name, double& value, Share) {
    json_.read(name, value);
    if (value < 0 || value > 1) json_.at(name).refuse("a number from 0 to 1");
  }
  void operator()(const char* name, bool& value, Words words) {
    if (!json_.has(name)) return;
    const std::string text = json_.at(name).text();
    if (text != words.yes && text != words.no) {
      json_.at(name).refuse("\"" + std::string(words.yes) + "\" or \"" + words.no + "\"");
    }
    value = text == words.yes;
  }
  template <class Members>
  void within(const char* name, const Members& members) {
    if (!json_.has(name)) return;
    JsonFieldsReader inner(json_.at(name));
    members(inner);
  }

 private:
  JsonReader json_;
};

}  // namespace ulisse
