#pragma once

#include <string>

#include "ulisse/types.h"

namespace ulisse {

// A density on a positive parameter theta = exp(psi).
//   gamma(shape, rate)           theta^(shape-1) exp(-rate theta)
//   lognormal(mu, sd)            psi ~ N(mu, sd^2)
//   half-normal(sd)              exp(-theta^2 / (2 sd^2)), theta > 0
//   half-student-t(df,scale)     (1 + (theta / scale)^2 / df)^(-(df + 1) / 2), theta > 0
//   half-cauchy(scale)           half-student-t(1,scale)
//   inverse-gamma(shape, scale)  theta^(-shape-1) exp(-scale / theta)
class Prior {
 public:
  enum class Family { gamma, lognormal, half_normal, inverse_gamma, half_student_t, half_cauchy };

  // Throws InputError when a parameter is out of range. half-normal and
  // half-cauchy ignore b.
  Prior(Family family, double a, double b = 0);

  // log of the normalised density of psi, and its derivative: the Jacobian theta is in it.
  ValueAndSlope log_density_psi(double psi) const;

  std::string to_string() const;  // "gamma(1,1)", as parse_prior reads it

 private:
  Family family_;
  double a_, b_;
};

// "gamma(1,1)", "lognormal(0,1)", "half-normal(1)", "inverse-gamma(2,1)", "half-student-t(4,1)",
// "half-cauchy(1)". Throws InputError.
Prior parse_prior(const std::string& text);

}  // namespace ulisse
