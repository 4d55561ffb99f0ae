#pragma once

#include <string>

#include "ulisse/types.h"

namespace ulisse {

// Settings of the sampler ulisse. 0 and "auto" are found out before sampling.
struct UlisseSettings {
  long rank = 1000;  // of the preconditioner, at most
  long bank = 32;    // probes with solutions at the anchor
  long probes = 4;   // of the bank, for each gradient
  double q = 0;      // ULISSE begins to cut at |r| < q |y|
  // Solves start so close to their solutions that noise of cutting is small: cut sooner than by
  // matched, but below the power 4/3, beyond which fourth moments are infinite and V is hard to
  // see.
  std::string truncation = "matched(1.3)";
  double step = 0;             // eps
  std::string trace = "auto";  // at the anchor: exact, or by probes
  double trace_error = 0.05;   // of probes: enough, in posterior standard deviations,
  long trace_probes = 1024;    // or so many of them
  long subset = 2000;          // rows for the first mode
  long exact_rows = 300;       // up to so many, steps are exact: they take no time;
  long careful_rows = 1000;    // up to so many sooner than elsewhere: they take minutes at most
};

}  // namespace ulisse
