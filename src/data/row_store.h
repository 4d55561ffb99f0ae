#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "ulisse/types.h"

namespace ulisse::csv {

// Rows of equal width whose number is not known beforehand. Kept in blocks of about a megabyte: one
// growing vector would double and copy, and peak at three times the table.
class RowStore {
 public:
  explicit RowStore(Index width);

  void append(std::span<const double> row);
  Index rows() const { return rows_; }
  std::size_t bytes() const { return static_cast<std::size_t>(rows_ * width_) * sizeof(double); }

  // Moves all but the last column to x (n, width - 1) and the last to y (n), and empties the store.
  void move_to(Matrix& x, Vector& y);

 private:
  Index width_;
  Index rows_in_block_;
  Index rows_ = 0;
  std::vector<std::vector<double>> blocks_;
};

}  // namespace ulisse::csv
