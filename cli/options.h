#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <limits>
#include <string>

#include "ulisse/types.h"

// Options that several subcommands share.
namespace ulisse::cli {

// Checks of a number with a message in words; CLI11's own prints the largest double there is.
// A whole number may be written as 1e3.
CLI::Validator whole_number(long least, double most);
CLI::Validator positive();

// An option for a whole number from `least` to the largest its type holds.
template <class Integer>
CLI::Option* add_whole(CLI::App& app, const std::string& name, Integer& value, long least,
                       const std::string& description) {
  // The largest long is no double.
  const double most = std::min(9e18, static_cast<double>(std::numeric_limits<Integer>::max()));
  return app.add_option(name, value, description)
      ->transform(whole_number(least, most))
      ->capture_default_str();
}

void add_threads(CLI::App& app, int& threads);
void add_json(CLI::App& app, bool& json);
void add_quiet(CLI::App& app, bool& quiet);

// --memory 2GB; bytes.
void add_memory(CLI::App& app, std::size_t& bytes);

// "a,b,c", spaces around them allowed. Throws InputError, naming the option, when the text is not
// such a list.
Vector parse_numbers(const std::string& option, const std::string& text);
std::string without_blanks_around(const std::string& text);
std::vector<std::string> split(const std::string& text, char separator = ',');

}  // namespace ulisse::cli
