#pragma once

#include <exception>

namespace ulisse::cli {

// Thrown by a subcommand that has said everything, and ends with this code.
struct ExitCode : std::exception {
  explicit ExitCode(int the_code) : code(the_code) {}
  int code;
};

}  // namespace ulisse::cli
