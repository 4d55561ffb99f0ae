#pragma once

#include <string>
#include <vector>

#include "base/watch.h"

namespace ulisse::cli {

// One line on standard error that overwrites itself in a terminal, and whole lines elsewhere, which
// then say how long it has been. Silent for the first two seconds: what is over by then needs no
// progress.
class Progress {
 public:
  explicit Progress(bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `details` stand below the line, in a terminal that has room for them.
  void show(const std::string& line, const std::vector<std::string>& details = {});

  // Whether show() would show: for who makes lines far more often than that.
  bool is_due() const;
  bool in_terminal() const { return terminal_; }

  // A line that stays, shown at once.
  void note(const std::string& line);

 private:
  std::string clearing();

  bool quiet_, terminal_;
  int shown_ = 0;  // lines in the terminal that are to be overwritten
  double start_, last_ = 0;
};

// Shows what the work of this thread says of itself, and lets it go on.
class ProgressWatch : public Watch {
 public:
  explicit ProgressWatch(bool quiet) : progress_(quiet) {}
  bool wants_stop() const override { return false; }
  bool wants_words() const override { return progress_.is_due(); }
  void show(const std::string& words) override { progress_.show(words); }

 private:
  Progress progress_;
};

}  // namespace ulisse::cli
