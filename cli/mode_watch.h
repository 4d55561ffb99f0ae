#pragma once

#include "progress.h"
#include "ulisse/exact.h"

namespace ulisse::cli {

// Shows how far a search for the mode is, and says after the first evaluation on many rows how long
// it will take.
class ModeWatch {
 public:
  ModeWatch(bool quiet, Index parameters);

  void operator()(const ModeProgress& now);

 private:
  std::string line(const ModeProgress& now) const;
  std::string pace(const ModeProgress& now) const;
  void foretell(const ModeProgress& now);

  Progress progress_;
  Index parameters_;
  double stage_start_ = 0;
  bool foretold_ = false;
};

}  // namespace ulisse::cli
