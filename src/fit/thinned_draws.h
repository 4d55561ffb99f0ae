#pragma once

#include <span>
#include <vector>

#include "sample/transition.h"
#include "ulisse/types.h"

namespace ulisse {

// Draws as they come, for who looks at them while a run goes on: of each chain every draw, and when
// those have become many, every other of them, every fourth, ... Thus a look takes no more time,
// and the draws no more memory, after hours than after a minute.
class ThinnedDraws {
 public:
  ThinnedDraws(Index parameters, int chains);

  // In the order of a chain's draws; psi is not on the natural scale, theta is.
  void add(int chain, std::span<const Transition> draws);
  void add(int chain, const Matrix& theta);  // (draws, parameters)

  // Parameter j on its natural scale, (draws, chains): as many as every chain has.
  const std::vector<Matrix>& by_parameter();

  Index stride() const { return stride_; }

  // Of each chain: enough for R-hat and ESS, which take some ten milliseconds for them.
  static constexpr Index kMost = 4000;

 private:
  void add(int chain, const Vector& theta);
  void thin();
  Index kept(int chain) const;  // draws

  struct OfChain {
    Index seen = 0;            // draws so far
    std::vector<double> kept;  // of every stride-th of them from the first on, all parameters
  };
  Index parameters_, stride_ = 1;
  std::vector<OfChain> chains_;
  std::vector<Matrix> by_parameter_;
};

}  // namespace ulisse
