#pragma once

#include <string>

namespace ulisse::cli {

// One line on standard error that overwrites itself in a terminal, and whole lines elsewhere.
// Silent for the first two seconds: what is over by then needs no progress.
class Progress {
 public:
  explicit Progress(bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void show(const std::string& line);

 private:
  bool quiet_, terminal_, shown_ = false;
  double start_, last_ = 0;
};

}  // namespace ulisse::cli
