#pragma once

#include <string>
#include <vector>

#include "ulisse/stochastic_gradient.h"

// What `ulisse bench gradient` measures.
namespace ulisse::cli {

// Lists, as the command line has them.
struct ChoiceOptions {
  std::string probes = "rademacher,preconditioned", ranks = "0,200", q = "1,0.1,0.01",
              rules = "exp(1),matched";
};

// One way to estimate the gradient; rule "none" solves to the tolerance.
struct Choice {
  ProbeKind kind;
  Index rank;
  double q;
  std::string rule;
};

// Every combination but two: preconditioned probes without a preconditioner, and several q where
// nothing is cut. Throws InputError, naming the option.
std::vector<Choice> choices(const ChoiceOptions& options);

}  // namespace ulisse::cli
