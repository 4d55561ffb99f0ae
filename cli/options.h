#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "ulisse/types.h"

// Options that several subcommands share.
namespace ulisse::cli {

void add_threads(CLI::App& app, int& threads);
void add_json(CLI::App& app, bool& json);
void add_quiet(CLI::App& app, bool& quiet);

// --memory 2GB; bytes.
void add_memory(CLI::App& app, std::size_t& bytes);

// "a,b,c". Throws InputError, naming the option, when the text is not such a list.
Vector parse_numbers(const std::string& option, const std::string& text);
std::vector<std::string> split(const std::string& text, char separator = ',');

}  // namespace ulisse::cli
