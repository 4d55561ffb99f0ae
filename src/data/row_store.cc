#include "data/row_store.h"

#include <algorithm>

namespace ulisse::csv {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr Index values_in_block = Index{1} << 17;

}  // namespace

RowStore::RowStore(Index width)
    : width_(width), rows_in_block_(std::max<Index>(1, values_in_block / width)) {}

void RowStore::append(std::span<const double> row) {
  if (rows_ % rows_in_block_ == 0) {
    blocks_.emplace_back().reserve(static_cast<std::size_t>(rows_in_block_ * width_));
  }
  blocks_.back().insert(blocks_.back().end(), row.begin(), row.end());
  ++rows_;
}

void RowStore::move_to(Matrix& x, Vector& y) {
  x.resize(rows_, width_ - 1);
  y.resize(rows_);
  Index first = 0;
  for (std::vector<double>& values : blocks_) {
    const Index rows = static_cast<Index>(values.size()) / width_;
    const Eigen::Map<const RowMajor> block(values.data(), rows, width_);
    x.middleRows(first, rows) = block.leftCols(width_ - 1);
    y.segment(first, rows) = block.col(width_ - 1);
    first += rows;
    values = {};  // frees the block before the next part of x is touched
  }
  blocks_.clear();
  rows_ = 0;
}

}  // namespace ulisse::csv
