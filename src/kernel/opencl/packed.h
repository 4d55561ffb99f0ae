#pragma once

#include <vector>

#include "kernel/packed_block.h"

namespace ulisse::opencl {

// Blocks of right-hand sides that programs are made for; narrower ones are padded with zeros.
int block_width(Index columns);
inline constexpr Index kWidestBlock = 40;

// x divided column by column by its scales, as the device reads it: rows of `width`, or within each
// tile of rows column by column. So many rows; those beyond x are 0.
template <class T>
std::vector<T> packed_rows(const ConstBlock& x, const std::vector<double>& scales, Index width,
                           Index rows);
template <class T>
std::vector<T> packed_columns(const ConstBlock& x, const std::vector<double>& scales, Index width,
                              Index rows);

// Sums of rows as the device leaves them, in two parts, column by column within each tile.
template <class T>
struct Sums {
  Sums(Index rows, Index width_of_all)
      : width(width_of_all),
        high(static_cast<std::size_t>(rows * width)),
        low(static_cast<std::size_t>(rows * width)) {}

  double operator()(Index row, Index c) const {
    const auto at = static_cast<std::size_t>(((row / simd::kTile) * width + c) * simd::kTile +
                                             row % simd::kTile);
    return static_cast<double>(high[at]) + static_cast<double>(low[at]);
  }

  Index width;
  std::vector<T> high, low;
};

}  // namespace ulisse::opencl
