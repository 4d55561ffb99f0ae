#include "diagnose/chains.h"

#include "ulisse/diagnose.h"

namespace ulisse::diagnose {

Matrix split_chains(const ConstBlock& draws) {
  const Index half = draws.rows() / 2;
  Matrix halves(half, 2 * draws.cols());
  halves.leftCols(draws.cols()) = draws.topRows(half);
  halves.rightCols(draws.cols()) = draws.bottomRows(half);
  return halves;
}

Matrix folded(const ConstBlock& draws) { return (draws.array() - quantile(draws, 0.5)).abs(); }

Vector pooled(const ConstBlock& draws) { return draws.reshaped(); }

// The absolute limit is posterior's: draws of a parameter in units of 1e-16 count as constant.
bool nothing_to_say(const ConstBlock& draws) {
  if (draws.size() == 0 || !draws.allFinite()) return true;
  return draws.maxCoeff() - draws.minCoeff() < std::numeric_limits<double>::epsilon();
}

}  // namespace ulisse::diagnose
