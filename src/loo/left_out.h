#pragma once

#include <memory>
#include <string>

#include "predict/saved_fit.h"
#include "ulisse/loo.h"

namespace ulisse {

// Of each row's observation, noise included, given all other rows and one psi: on the scale of the
// fit.
struct LeftOut {
  Vector mean, variance;
};

// With a = K^-1 y and K the covariance of the data with noise and trend,
//   y_i | y_-i, psi ~ N(y_i - a_i / [K^-1]_ii, 1 / [K^-1]_ii)
// (Sundararajan and Keerthi 2001): n predictions from one factor.
class LeftOutRows {
 public:
  virtual ~LeftOutRows() = default;
  // Throws InputError where K is not positive definite, or a solve does not converge.
  virtual LeftOut given(const Vector& psi) = 0;
  virtual std::string name() const = 0;
  // Of the sum over rows of log p(y_i | y_-i, psi), as found at some rows by solves; 0: none.
  virtual double elpd_error() const = 0;
};

// Keeps a reference to the fit. Throws InputError for a method that there is not, or that does not
// fit in memory.
std::unique_ptr<LeftOutRows> make_left_out(const SavedFit& fit, const LooOptions& options);

}  // namespace ulisse
