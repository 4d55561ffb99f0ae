#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "ulisse/types.h"

// Options that several subcommands share.
namespace ulisse::cli {

// Checks of a number with a message in words; CLI11's own prints the largest double there is.
CLI::Validator at_least(long minimum);
CLI::Validator positive();

void add_threads(CLI::App& app, int& threads);
void add_json(CLI::App& app, bool& json);
void add_quiet(CLI::App& app, bool& quiet);

// --memory 2GB; bytes.
void add_memory(CLI::App& app, std::size_t& bytes);

// "a,b,c". Throws InputError, naming the option, when the text is not such a list.
Vector parse_numbers(const std::string& option, const std::string& text);
std::vector<std::string> split(const std::string& text, char separator = ',');

}  // namespace ulisse::cli
