#pragma once

#include <string>
#include <string_view>

namespace ulisse {

// How a front end names an option. Each option has one key everywhere, in snake_case: probe_count.
//
//                 option_named("probe_count")   option_set("probe_count", "8")
//   plain         probe_count                   probe_count = 8
//   command_line  --probe-count                 --probe-count 8
//   python        probe_count                   probe_count=8
//   r             probe_count                   probe_count = 8
enum class OptionNames { plain, command_line, python, r };

// Said once, when a front end starts; until then names are plain. Messages of InputError follow it.
void use_option_names(OptionNames names);
OptionNames option_names();

std::string option_named(std::string_view key, OptionNames names = option_names());

// `value` as one types it; a text gets the quotes that the language, or the shell, wants.
std::string option_set(std::string_view key, double value, OptionNames names = option_names());
std::string option_set(std::string_view key, std::string_view value,
                       OptionNames names = option_names());

}  // namespace ulisse
