#pragma once

#include <vector>

#include "base/grid.h"
#include "ulisse/types.h"

namespace ulisse {

// a' b summed on a grid, (n, k), (n, m) -> (k, m): the same bits in whatever order, and in whatever
// parts, blocks of rows are added, and for any number of threads.
class GridProduct {
 public:
  // Rows are summed by so many in plain arithmetic: parts of a and b begin at multiples of it.
  static constexpr Index kRows = 1024;

  // n: rows of all parts together. Scales are column_scales() of all rows of a and b.
  GridProduct(Index n, std::vector<double> a_scales, std::vector<double> b_scales);

  // Adds a' b of some of the rows.
  void add(const ConstBlock& a, const ConstBlock& b);

  Matrix result() const;

  // Those of several parts may be added element by element, in any order. (2 k, m)
  Matrix& words() { return words_; }

 private:
  void add_block(Index first, const ConstBlock& partial);

  Grid grid_;
  std::vector<double> a_scales_, b_scales_;
  Matrix words_;  // high ones above low ones
};

// Of all rows at once.
Matrix grid_transposed_product(const ConstBlock& a, const std::vector<double>& a_scales,
                               const ConstBlock& b);

}  // namespace ulisse
