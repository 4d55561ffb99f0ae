#pragma once

#include "ulisse/types.h"

namespace ulisse {

// The chosen columns of a block, side by side.
inline Matrix gather(const ConstBlock& block, const Indices& columns) {
  Matrix result(block.rows(), static_cast<Index>(columns.size()));
  for (Index k = 0; k < result.cols(); ++k) result.col(k) = block.col(columns[k]);
  return result;
}

// Keeps the chosen columns, which rise, and drops the others.
inline void keep_columns(Matrix& block, const Indices& columns) {
  if (block.cols() == 0) return;
  for (Index k = 0; k < static_cast<Index>(columns.size()); ++k) {
    if (columns[k] != k) block.col(k) = block.col(columns[k]);
  }
  block.conservativeResize(Eigen::NoChange, static_cast<Index>(columns.size()));
}

}  // namespace ulisse
