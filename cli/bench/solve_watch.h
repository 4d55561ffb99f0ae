#pragma once

#include <string>

#include "progress.h"
#include "ulisse/solve.h"

namespace ulisse::cli {

// Shows how far a solve is. It changes nothing.
class SolveWatch : public CgObserver {
 public:
  SolveWatch(Progress& progress, double tolerance) : progress_(progress), tolerance_(tolerance) {}

  void begin(const std::string& backend, const std::string& preconditioner);
  bool update(Index column, int iteration, double step, const ConstVector& direction,
              double residual) override;

 private:
  Progress& progress_;
  double tolerance_;
  std::string what_;
  int iteration_ = 0;
  double largest_ = 0;  // of the columns seen in this iteration
};

}  // namespace ulisse::cli
