#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

// Settings of a fit by their names. One description serves everybody who takes or shows them: the
// command line (--probe-count), TOML files (probe-count), fit.json and Python (probe_count).
namespace ulisse {

using OptionValue = std::variant<bool, long, double, std::string>;
using OptionValues = std::map<std::string, OptionValue>;  // by key

// Of numbers. `automatic_zero`: 0 is allowed besides, and stands for what is found out.
struct OptionRange {
  double least = -INFINITY, most = INFINITY;
  bool above_least = false, below_most = false;  // the limit itself is left out
  bool automatic_zero = false;
};

// Under which heading of a help text it stands.
enum class OptionGroup { run, output, advanced };

struct Option {
  std::string key;         // probe_count
  std::string help;        // a sentence without its full stop
  OptionRange range = {};  // of a number
  OptionGroup group = OptionGroup::advanced;
  std::string automatic = {};                               // what its default depends on, in words
  std::vector<std::string> choices = {};                    // of a text; empty: any
  std::function<void(const std::string&)> check_text = {};  // of a text; throws InputError
  std::vector<std::string> former_flags = {};               // older names, which go on working
  std::vector<std::string> former_keys = {};                // the same in fit.json and Python
  OptionValue initial = 0L;                                 // its default, which has its type
};

// Throws InputError, which names the option, when the value is not of its type or out of range. A
// whole number will do where any number does.
void check(const Option& option, const OptionValue& value);

// "true", "0.1", "auto"
std::string to_string(const OptionValue& value);

// The option of that key, or of that former key; null where there is none.
const Option* find_option(const std::vector<Option>& options, const std::string& key);

}  // namespace ulisse
