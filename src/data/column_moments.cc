#include "data/column_moments.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ulisse {

// With t = (value - first) / range, which lies in [-1, 1],
//   mean = first + range mean(t),   sd = range sd(t).
// Subtracting the first value, not zero, keeps the digits of a column such as 1e15 + small;
// dividing by the range keeps the squares from overflow and underflow. The second pass sums
// deviations from the mean and corrects by their sum, which is zero but for rounding.
ColumnMoments column_moments(const ConstVector& values) {
  const auto n = static_cast<double>(values.size());
  const double least = values.minCoeff(), most = values.maxCoeff(), range = most - least;
  if (range == 0) return {least, 0, least, most};
  const auto t = (values.array() - values[0]) / range;
  const double t_mean = t.sum() / n;
  const double drift = (t - t_mean).sum();
  const double squares = (t - t_mean).square().sum() - drift * drift / n;
  const double sd = range * std::sqrt(squares / (n - 1));
  return {values[0] + range * t_mean, sd, least, most};
}

bool varies_by_rounding_only(const ColumnMoments& moments) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const double largest = std::max(std::abs(moments.least), std::abs(moments.most));
  return moments.sd <= 2 * epsilon * largest;
}

}  // namespace ulisse
