#pragma once

#include <cstdint>
#include <functional>
#include <type_traits>
#include <variant>
#include <vector>

#include "ulisse/option.h"

// A struct of settings and its options: each member stands in one row of a table, and nowhere else
// is there a list of them.
namespace ulisse {

// A member as an option's value, and back.
template <class S>
class SettingMember {
 public:
  // Rows of a table name the member alone. Instantiated for the member's own type: a variant of
  // pointers to members of all types has compilers look into a struct for what is not there.
  template <class T>
  SettingMember(T S::*member)
      : get_([member](const S& settings) { return value_from(settings.*member); }),
        set_([member](const OptionValue& value, S& settings) {
          settings.*member = value_to<T>(value);
        }) {}

  OptionValue of(const S& settings) const { return get_(settings); }
  // The value must be one that check() lets pass.
  void set(const OptionValue& value, S& settings) const { set_(value, settings); }

 private:
  template <class T>
  static OptionValue value_from(const T& member) {
    if constexpr (std::is_same_v<T, std::uint64_t>) {
      return static_cast<long>(member);
    } else {
      return member;
    }
  }

  template <class T>
  static T value_to(const OptionValue& value) {
    if constexpr (std::is_same_v<T, std::uint64_t>) {
      return static_cast<std::uint64_t>(std::get<long>(value));
    } else if constexpr (std::is_same_v<T, double>) {
      const long* whole = std::get_if<long>(&value);
      return whole ? static_cast<double>(*whole) : std::get<double>(value);
    } else {
      return std::get<T>(value);
    }
  }

  std::function<OptionValue(const S&)> get_;
  std::function<void(const OptionValue&, S&)> set_;
};

template <class S>
struct Setting {
  Option option;  // all but its default, which is the member's
  SettingMember<S> member;
};

template <class S>
using SettingTable = std::vector<Setting<S>>;

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
    options.back().initial = setting.member.of(initial);
  }
  return options;
}

template <class S>
OptionValues values_of(const SettingTable<S>& table, const S& settings) {
  OptionValues values;
  for (const Setting<S>& setting : table) {
    values[setting.option.key] = setting.member.of(settings);
  }
  return values;
}

// Members whose keys are not there are as they are by default.
template <class S>
S settings_from(const SettingTable<S>& table, const OptionValues& values) {
  S settings;
  for (const Setting<S>& setting : table) {
    const auto found = values.find(setting.option.key);
    if (found != values.end()) setting.member.set(found->second, settings);
  }
  return settings;
}

}  // namespace ulisse
