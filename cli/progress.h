#pragma once

#include <string>

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
  void show(const std::string& line);

  // Whether show() would show: for who makes lines far more often than that.
  bool is_due() const;

  // A line that stays, shown at once.
  void note(const std::string& line);

 private:
  void clear() const;

  bool quiet_, terminal_, shown_ = false;
  double start_, last_ = 0;
};

}  // namespace ulisse::cli
