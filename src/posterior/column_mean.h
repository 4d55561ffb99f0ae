#pragma once

#include "ulisse/types.h"

namespace ulisse {

// The covariance of the mean of the columns, from their spread; zero for one column.
inline Matrix covariance_of_mean(const Matrix& samples) {
  const Index p = samples.rows(), count = samples.cols();
  if (count < 2) return Matrix::Zero(p, p);
  const Matrix centred = samples.colwise() - samples.rowwise().mean();
  return centred * centred.transpose() / static_cast<double>(count * (count - 1));
}

}  // namespace ulisse
