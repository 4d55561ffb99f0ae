#pragma once

#include "ulisse/types.h"

namespace ulisse {

struct ColumnMoments {
  double mean, sd;     // sd with n - 1
  double least, most;  // the smallest and the largest value
};

// Of at least two finite values. Accurate when the spread is far smaller than the mean, and free of
// overflow as long as most - least is finite; mean and sd are meaningless when it is not.
ColumnMoments column_moments(const ConstVector& values);

// Whether the spread is no more than a few roundings of the values: (value - mean) / sd would show
// the rounding, not the data.
bool varies_by_rounding_only(const ColumnMoments& moments);

}  // namespace ulisse
