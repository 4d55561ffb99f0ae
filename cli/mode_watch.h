#pragma once

#include "base/watch.h"
#include "progress.h"
#include "ulisse/exact.h"

namespace ulisse::cli {

// Shows how far a search for the mode is, and says after the first evaluation on many rows how long
// it will take. As the thread's watch it also shows how far an evaluation is.
class ModeWatch : public Watch {
 public:
  ModeWatch(bool quiet, Index parameters);

  void operator()(const ModeProgress& now);

  bool wants_stop() const override { return false; }  // a signal ends the program by itself
  bool wants_words() const override { return progress_.is_due(); }
  void show(const std::string& words) override;

 private:
  std::string line(const ModeProgress& now) const;
  std::string pace(const ModeProgress& now) const;
  void foretell(const ModeProgress& now);

  Progress progress_;
  Index parameters_;
  ModeProgress last_;
  double stage_start_ = 0;
  Index foretold_rows_ = 0;
};

}  // namespace ulisse::cli
