#pragma once

#include <stdexcept>
#include <string>

namespace ulisse {

// Something the user gave is wrong: a file, an option, a value. The message is one sentence that
// names what is wrong and where; the command line prints it and exits with code 2.
// Misuse of the library by a program is std::invalid_argument; numerical failure is data, never an
// exception (see SolveSummary and LogDensity).
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Work was stopped, as whoever watches it wanted, before there was anything to keep.
class Interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace ulisse
