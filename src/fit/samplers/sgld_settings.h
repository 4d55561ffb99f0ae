#pragma once

#include "fit/option_table.h"
#include "ulisse/types.h"

namespace ulisse {

// Settings of the sampler sgld; see SgldOptions and StochasticGradientOptions.
struct SgldSettings {
  long probe_count = 4;
  std::string probe_kind = "preconditioned";
  long rank = 0;            // of the preconditioner; 0: none
  double early_stop = 0.1;  // q
  std::string truncation = "exp(1)";
  std::string step_rule = "noise";
  double first_step = 0.1, last_step = 1e-4;
  long schedule = 40000;
  double noise_ratio = 0.02;
  std::string noise_from = "probes";
  long batch = 100, redraw_every = 1;
  long subset = 1000;        // rows for the mode and for M
  bool scale_metric = true;  // M times subset/n, which is what the full data's would be
  long iterations = 0;       // in all, instead of draws
  // What the paper leaves open.
  std::string warm_start = "iterate";  // see WarmStart
  std::string y_start = "solved";      // y's system when a chain begins; or zero
  double longest_drift = 3;            // see SgldOptions
};

const SettingTable<SgldSettings>& sgld_settings();

// The paper's, for Concrete (n = 1,030), or for Census (n = 22,784) where n is closer to that.
SgldSettings paper_sgld_settings(Index n);

}  // namespace ulisse
