#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <limits>
#include <string>

#include "base/limits.h"
#include "ulisse/types.h"

// Options that several subcommands share.
namespace ulisse::cli {

// Checks of a number with a message in words; CLI11's own prints the largest double there is.
// A whole number may be written as 1e3.
CLI::Validator whole_number(long least, double most);
CLI::Validator positive();
CLI::Validator positive_or_zero();
CLI::Validator not_empty();  // of a name

// An option for a whole number from `least` to `most`, and to the largest its type holds.
template <class Integer>
CLI::Option* add_whole(CLI::App& app, const std::string& name, Integer& value, long least,
                       const std::string& description, double most = limits::iterations) {
  // The largest long is no double.
  const auto largest = static_cast<double>(std::numeric_limits<Integer>::max());
  return app.add_option(name, value, description)
      ->transform(whole_number(least, std::min({9e18, largest, most})))
      ->capture_default_str();
}

// Any number is as good as another.
template <class Integer>
CLI::Option* add_seed(CLI::App& app, Integer& seed, const std::string& description) {
  return add_whole(app, "--seed", seed, 0, description, 9e18);
}

// A value that is empty means nothing, for any option: a variable of a script that was not set. And
// flags take none.
void refuse_odd_values(CLI::App& app);

CLI::Option* add_threads(CLI::App& app, int& threads);
// --devices 0,1; takes effect where it is read.
CLI::Option* add_devices(CLI::App& app);
CLI::Option* add_json(CLI::App& app, bool& json);
CLI::Option* add_quiet(CLI::App& app, bool& quiet);

// --memory 2GB; bytes.
CLI::Option* add_memory(CLI::App& app, std::size_t& bytes);

// "a,b,c", spaces around them allowed. Throws InputError, naming the option, when the text is not
// such a list, or a number is not finite.
Vector parse_numbers(const std::string& option, const std::string& text);

// Names of backends, "auto" not among them. Throws InputError, naming the option.
void require_backends(const std::string& option, const std::vector<std::string>& names);
std::string without_blanks_around(const std::string& text);
std::vector<std::string> split(const std::string& text, char separator = ',');

}  // namespace ulisse::cli
