#pragma once

#include <string>

#include "solve/usual_neighbours.h"
#include "ulisse/types.h"

namespace ulisse {

// Settings of the sampler ulisse. 0 and "auto" are found out before sampling.
struct UlisseSettings {
  long rank = 1000;                    // of the preconditioner, at most
  long neighbours = kUsualNeighbours;  // of each row, that it looks at where that pays; 0: none
  long anchor_probes = 32;             // probes with solutions at the anchor: the bank
  long probe_count = 4;                // of the bank, for each gradient
  double early_stop = 0;               // q: ULISSE begins to cut at |r| < q |y|
  // Solves start so close to their solutions that noise of cutting is small: cut sooner than by
  // matched, but below the power 4/3, beyond which fourth moments are infinite and V is hard to
  // estimate.
  std::string truncation = "matched(1.3)";
  double step = 0;                     // eps
  std::string mode_gradient = "auto";  // the trace at the anchor: exact, or by probes
  double mode_gradient_error = 0.05;   // of probes, at most, in posterior standard deviations,
  long mode_gradient_probes = 1024;    // unless that takes more of them than these
  long subset = 2000;                  // rows for the first mode
  bool no_surrogate = false;  // else draws come from a surrogate of the density where that can be
  double certificate = 0.05;  // certified to be so near, in posterior standard deviations
  long exact_rows = 300;      // up to so many, steps are exact: they take no time;
  long careful_rows = 1000;   // up to so many sooner than elsewhere: they take minutes at most
};

}  // namespace ulisse
