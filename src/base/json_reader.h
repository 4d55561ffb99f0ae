#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "ulisse/types.h"

namespace ulisse {

// A value of a JSON file that somebody may have edited or damaged. Whoever reads it says what it
// must be; what is something else ends with one InputError that names the file and the key:
//
//   JsonReader fit = ...;
//   const long chains = fit.at("settings").at("chains").whole(1, 1000);
//   // fit.json: settings.chains: must be a whole number from 1 to 1000, is -3
class JsonReader {
 public:
  using Json = nlohmann::ordered_json;

  // The largest of counts: sums of a thousand of them, the most chains there are, do not overflow.
  static constexpr long kMaxCount = 9'000'000'000'000'000;

  // Throws InputError where the text is no JSON, or is nested beyond all that we write.
  static Json parse(const std::string& text, const std::string& file);

  // Keeps a reference to the JSON, as do the readers that it hands out.
  JsonReader(const Json& json, std::string file) : json_(&json), file_(std::move(file)) {}

  const Json& json() const { return *json_; }

  // Of an object, which it is refused not to be.
  bool has(const std::string& key) const;
  JsonReader at(const std::string& key) const;  // refused where it is missing

  std::vector<JsonReader> items() const;  // of a list

  std::string text() const;
  std::vector<std::string> texts() const;
  bool truth() const;
  double number() const;
  double number_or(double where_null) const;  // null stands for what is not finite
  long whole(long least = 0, long most = kMaxCount) const;
  std::uint64_t seed() const;
  Vector numbers() const;
  Vector numbers(Index count) const;
  Matrix square_or(Index size, double where_null) const;  // a list of rows

  // Leaves `value` as it is where there is no such key.
  void read(const std::string& key, std::string& value) const;
  void read(const std::string& key, std::vector<std::string>& value) const;
  void read(const std::string& key, bool& value) const;
  void read(const std::string& key, double& value) const;
  void read(const std::string& key, long& value) const;  // not negative
  void read(const std::string& key, int& value) const;   // not negative
  void read(const std::string& key, std::uint64_t& value) const;
  void read_or(const std::string& key, double& value, double where_null) const;

  // Throws InputError: "must be " and what it must be, and what it is.
  [[noreturn]] void refuse(const std::string& what) const;

 private:
  JsonReader(const Json& json, std::string file, std::string path)
      : json_(&json), file_(std::move(file)), path_(std::move(path)) {}

  std::string path_of(const std::string& key) const;

  const Json* json_;
  std::string file_;
  std::string path_;  // settings.chains, stein[0]
};

}  // namespace ulisse
