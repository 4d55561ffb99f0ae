#pragma once

#include <atomic>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "fit/chains.h"
#include "fit/folder.h"

namespace ulisse {

struct FitRequest {
  FitSettings settings;
  std::string sampler_reason;  // when it was chosen for the user
  Model model;
  Dataset raw;  // not scaled
  std::string out;
  bool resume = false, force = false;
  bool keep_data = true;  // in the folder, so that it is enough to predict
  char separator = ',';   // of the file that the data come from
  bool header = true;     // whether that has one
  double time_limit = 0;  // seconds of this run; 0: none
  std::size_t memory = 0;
};

// What one chain did in the last round of its draws; means over the round. NaN in warm-up.
struct ChainNews {
  double acceptance = std::nan(""), log_density = std::nan(""), gradients = std::nan("");
  long divergent = 0;  // since the run began
};

// Sees a fit grow.
class FitListener {
 public:
  virtual ~FitListener() = default;
  virtual void stage(const std::string& words) = 0;
  // draws[j] holds parameter j on its natural scale, (draws, chains); where there are many, every
  // second or fourth, ... of them alone.
  virtual void progress(const RunState& state, const std::vector<Matrix>& draws,
                        const FitChains& chains, const std::vector<ChainNews>& news) = 0;
  // Now and then between two calls of progress(), on the same thread: the time to look for signals.
  virtual void waiting() {}
};

// Interrupted before a fit that was to replace another had its mode: the other is as it was.
enum class FitEnd { complete, interrupted, out_of_time, was_complete, not_begun };

// Samples and writes the folder. `interrupted` is looked at every few milliseconds, in the set-up
// and while chains draw; what has been done by then is kept and can be resumed. Throws InputError
// and OutputError.
FitEnd run_fit(const FitRequest& request, FitListener& listener,
               const std::atomic<bool>& interrupted);

}  // namespace ulisse
