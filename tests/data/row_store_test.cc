#include "data/row_store.h"

#include <gtest/gtest.h>

#include <numeric>

namespace ulisse::csv {
namespace {

// Cell (i, j) holds i * width + j.
void expect_rows_back(Index n, Index width) {
  RowStore store(width);
  std::vector<double> row(static_cast<std::size_t>(width));
  for (Index i = 0; i < n; ++i) {
    std::iota(row.begin(), row.end(), static_cast<double>(i * width));
    store.append(row);
  }
  ASSERT_EQ(store.rows(), n);
  Matrix x;
  Vector y;
  store.move_to(x, y);
  EXPECT_EQ(store.rows(), 0);
  const Vector firsts = Vector::LinSpaced(n, 0, static_cast<double>((n - 1) * width));
  ASSERT_EQ(x.cols(), width - 1);
  for (Index j = 0; j < width - 1; ++j) {
    ASSERT_EQ(x.col(j), firsts + Vector::Constant(n, static_cast<double>(j)));
  }
  EXPECT_EQ(y, firsts + Vector::Constant(n, static_cast<double>(width - 1)));
}

TEST(RowStore, GivesBackOneRow) { expect_rows_back(1, 2); }

TEST(RowStore, GivesBackManyBlocksOfRows) { expect_rows_back(150'001, 3); }

TEST(RowStore, GivesBackRowsWiderThanABlock) { expect_rows_back(3, 200'000); }

}  // namespace
}  // namespace ulisse::csv
