#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace ulisse::cli {

// What is wrong with a command line, in a sentence, and in a second line where to find help.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error);

}  // namespace ulisse::cli
