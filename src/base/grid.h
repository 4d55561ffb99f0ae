#pragma once

#include <cmath>

#include "ulisse/types.h"

namespace ulisse {

// Sums that are the same bit for bit in whatever order, and in whatever parts, their terms are
// added: each term is rounded to multiples of a power of two, and what that leaves to multiples of
// a smaller one. Both are so large that sums of them are exact in double; what is dropped is below
// 2^-100 of the bound for each term. A sum of 0 and of terms so small that all of them vanish is 0.
//
//     const Grid grid(bound, terms);
//     double high = 0, low = 0;
//     for (double s : all) grid.add(s, high, low);
//     sum = Grid::sum(high, low);
struct Grid {
  // Of at most so many terms, whose absolute values add up to less than `bound`.
  Grid(double bound, Index terms) {
    const double top = std::exp2(std::ceil(std::log2(bound)) + 1);
    coarse = 1.5 * top;
    fine = 1.5 * std::exp2(std::ceil(std::log2(static_cast<double>(terms)))) * std::ldexp(top, -52);
  }

  void add(double s, double& high, double& low) const {
    const double rounded = (s + coarse) - coarse;
    high += rounded;
    low += ((s - rounded) + fine) - fine;
  }

  // A term that is infinite or not a number makes the sum so.
  static double sum(double high, double low) { return std::isfinite(high) ? high + low : high; }

  double coarse, fine;  // (s + coarse) - coarse is s, rounded
};

}  // namespace ulisse
