#include "base/option_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

namespace ulisse {

namespace {

std::atomic<OptionNames> used = OptionNames::plain;

bool is_plain_in_a_shell(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.';
}

std::string assignment(std::string_view key, const std::string& value, OptionNames names) {
  const char* between = names == OptionNames::command_line ? " "
                        : names == OptionNames::python     ? "="
                                                           : " = ";
  return option_named(key, names) + between + value;
}

}  // namespace

void use_option_names(OptionNames names) { used = names; }

OptionNames option_names() { return used; }

std::string option_named(std::string_view key, OptionNames names) {
  if (names != OptionNames::command_line) return std::string(key);
  if (key == "priors") return "--prior";  // given once for each
  if (key == "fixed") return "--fix";
  std::string flag = "--" + std::string(key);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

std::string option_set(std::string_view key, double value, OptionNames names) {
  return assignment(key, fmt::format("{:.6g}", value), names);
}

std::string option_set(std::string_view key, std::string_view value, OptionNames names) {
  if (names != OptionNames::command_line) {
    return assignment(key, fmt::format("\"{}\"", value), names);
  }
  const bool plain_word = std::all_of(value.begin(), value.end(), is_plain_in_a_shell);
  return assignment(key, plain_word ? std::string(value) : fmt::format("'{}'", value), names);
}

}  // namespace ulisse
