#include <cmath>

#include "diagnose/chains.h"
#include "ulisse/diagnose.h"

namespace ulisse::diagnose {

// mean_i = mean_i-1 + (x_i - mean_i-1) / i, which does not grow as a sum would.
Matrix running_mean(const ConstBlock& draws) {
  Matrix means(draws.rows(), draws.cols());
  for (Index chain = 0; chain < draws.cols(); ++chain) {
    double mean = 0;
    for (Index i = 0; i < draws.rows(); ++i) {
      mean += (draws(i, chain) - mean) / static_cast<double>(i + 1);
      means(i, chain) = mean;
    }
  }
  return means;
}

// Welford's: the sum of squares about the mean grows by (x_i - mean_i-1)(x_i - mean_i).
Matrix running_sd(const ConstBlock& draws) {
  const Matrix means = running_mean(draws);
  Matrix deviations(draws.rows(), draws.cols());
  for (Index chain = 0; chain < draws.cols(); ++chain) {
    double squares = 0;
    for (Index i = 0; i < draws.rows(); ++i) {
      const double x = draws(i, chain);
      if (i > 0) squares += (x - means(i - 1, chain)) * (x - means(i, chain));
      deviations(i, chain) = i > 0 ? std::sqrt(squares / static_cast<double>(i)) : kUnknown;
    }
  }
  return deviations;
}

}  // namespace ulisse::diagnose
