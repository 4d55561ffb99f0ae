#include "output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <iostream>
#include <stdexcept>
#include <string>
#include <system_error>

namespace ulisse::cli {

void finish_output() {
  errno = 0;
  std::cout.flush();  // CLI11 prints by it
  const bool flushed = std::fflush(stdout) == 0;
  const int error = errno;
  if (flushed && std::cout.good() && std::ferror(stdout) == 0) return;
  const std::string why =
      error == 0 ? std::string() : ": " + std::generic_category().message(error);
  throw std::runtime_error("the output could not be written" + why);
}

void check_output_is_open() {
  if (fcntl(STDOUT_FILENO, F_GETFD) >= 0) return;
  throw std::runtime_error("the output could not be written: standard output is closed");
}

}  // namespace ulisse::cli
