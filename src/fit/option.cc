#include "ulisse/option.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/option_names.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

std::string limit_in_words(double limit) { return fmt::format("{:.10g}", limit); }

[[noreturn]] void refuse(const Option& option, const std::string& why) {
  throw InputError(fmt::format("{} must be {}", option_named(option.key), why));
}

// NaN is refused, too.
void check_range(const Option& option, double value, const std::string& shown) {
  const OptionRange& r = option.range;
  if (r.automatic_zero && value == 0) return;
  if (r.least == 0 && r.above_least && (!(value > 0) || !std::isfinite(value))) {
    refuse(option, fmt::format("a positive number, and is {}", shown));
  }
  if (!std::isfinite(value)) refuse(option, fmt::format("a finite number, and is {}", shown));
  if (r.above_least ? !(value > r.least) : !(value >= r.least)) {
    refuse(option,
           fmt::format("{} {}", r.above_least ? "above" : "at least", limit_in_words(r.least)));
  }
  if (r.below_most ? !(value < r.most) : !(value <= r.most)) {
    refuse(option,
           fmt::format("{} {}", r.below_most ? "below" : "at most", limit_in_words(r.most)));
  }
}

void check_choice(const Option& option, const std::string& text) {
  const auto& known = option.choices;
  if (!known.empty() && std::find(known.begin(), known.end(), text) == known.end()) {
    throw InputError(fmt::format("{}: '{}' is none of {}", option_named(option.key), text,
                                 fmt::join(known, ", ")));
  }
  if (option.check_text) option.check_text(text);
}

const char* kind_of(const OptionValue& value) {
  if (std::holds_alternative<bool>(value)) return "true or false";
  if (std::holds_alternative<long>(value)) return "a whole number";
  return std::holds_alternative<double>(value) ? "a number" : "a text";
}

}  // namespace

void check(const Option& option, const OptionValue& value) {
  const bool whole_for_any =
      std::holds_alternative<double>(option.initial) && std::holds_alternative<long>(value);
  if (value.index() != option.initial.index() && !whole_for_any) {
    refuse(option, fmt::format("{}, and is {}", kind_of(option.initial), to_string(value)));
  }
  if (const long* whole = std::get_if<long>(&value)) {
    check_range(option, static_cast<double>(*whole), to_string(value));
  } else if (const double* number = std::get_if<double>(&value)) {
    check_range(option, *number, to_string(value));
  } else if (const std::string* text = std::get_if<std::string>(&value)) {
    check_choice(option, *text);
  }
}

std::string to_string(const OptionValue& value) {
  return std::visit([](const auto& v) { return fmt::format("{}", v); }, value);
}

const Option* find_option(const std::vector<Option>& options, const std::string& key) {
  for (const Option& option : options) {
    const auto& former = option.former_keys;
    if (option.key == key || std::find(former.begin(), former.end(), key) != former.end()) {
      return &option;
    }
  }
  return nullptr;
}

}  // namespace ulisse
