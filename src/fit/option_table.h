#pragma once

#include <cstdint>
#include <type_traits>
#include <variant>
#include <vector>

#include "ulisse/option.h"

// A struct of settings and its options: each member stands in one row of a table, and nowhere else
// is there a list of them.
namespace ulisse {

template <class S>
struct Setting {
  Option option;  // all but its default, which is the member's
  std::variant<bool S::*, long S::*, std::uint64_t S::*, double S::*, std::string S::*> member;
};

template <class S>
using SettingTable = std::vector<Setting<S>>;

template <class S>
OptionValue value_of(const Setting<S>& setting, const S& settings) {
  return std::visit(
      [&](const auto member) -> OptionValue {
        using T = std::remove_cvref_t<decltype(settings.*member)>;
        if constexpr (std::is_same_v<T, std::uint64_t>) {
          return static_cast<long>(settings.*member);
        } else {
          return settings.*member;
        }
      },
      setting.member);
}

// The value must be one that check() lets pass.
template <class S>
void set_value(const Setting<S>& setting, const OptionValue& value, S& settings) {
  std::visit(
      [&](const auto member) {
        using T = std::remove_cvref_t<decltype(settings.*member)>;
        if constexpr (std::is_same_v<T, std::uint64_t>) {
          settings.*member = static_cast<std::uint64_t>(std::get<long>(value));
        } else if constexpr (std::is_same_v<T, double>) {
          const long* whole = std::get_if<long>(&value);
          settings.*member = whole ? static_cast<double>(*whole) : std::get<double>(value);
        } else {
          settings.*member = std::get<T>(value);
        }
      },
      setting.member);
}

// Parts of a table, one after the other.
template <class S>
SettingTable<S> joined(const std::vector<SettingTable<S>>& parts) {
  SettingTable<S> table;
  for (const SettingTable<S>& part : parts) table.insert(table.end(), part.begin(), part.end());
  return table;
}

// With the defaults of `initial`.
template <class S>
std::vector<Option> options_of(const SettingTable<S>& table, const S& initial = {}) {
  std::vector<Option> options;
  for (const Setting<S>& setting : table) {
    options.push_back(setting.option);
    options.back().initial = value_of(setting, initial);
  }
  return options;
}

template <class S>
OptionValues values_of(const SettingTable<S>& table, const S& settings) {
  OptionValues values;
  for (const Setting<S>& setting : table) {
    values[setting.option.key] = value_of(setting, settings);
  }
  return values;
}

// Members whose keys are not there are as they are by default.
template <class S>
S settings_from(const SettingTable<S>& table, const OptionValues& values) {
  S settings;
  for (const Setting<S>& setting : table) {
    const auto found = values.find(setting.option.key);
    if (found != values.end()) set_value(setting, found->second, settings);
  }
  return settings;
}

}  // namespace ulisse
