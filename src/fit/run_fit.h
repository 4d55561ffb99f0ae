#pragma once

#include <string>

#include "fit/settings.h"
#include "ulisse/fit.h"

namespace ulisse {

// A fit of which everything is decided, into a folder.
struct FitRequest {
  FitSettings settings;
  Reason sampler_reason;  // where it was chosen for the user
  Model model;
  Dataset raw;  // not scaled
  std::string out;
  bool in_memory = false;  // `out` is gone when the fit ends
  bool resume = false, replace = false;
  bool keep_data = true;  // in the folder, so that it is enough to predict
  char separator = ',';   // of the file that the data come from
  bool header = true;     // whether that has one
  double time_limit = 0;  // seconds of this run; 0: none
  std::size_t memory = 0;
};

// Samples and writes the folder. What has been done when the observer wants it to stop is kept and
// can be resumed. Throws InputError and OutputError.
FitEnd run_fit(const FitRequest& request, FitObserver& observer);

}  // namespace ulisse
