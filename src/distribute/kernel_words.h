#pragma once

#include <string>

#include "ulisse/backend.h"

namespace ulisse {

// What makes a kernel's operators, but for the table, as bytes for other processes.
struct KernelWords {
  std::string backend;
  Kernel kernel;
  CovarianceOptions options;

  std::string bytes() const;
  static KernelWords from(std::string bytes);
};

}  // namespace ulisse
