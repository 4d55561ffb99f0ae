#pragma once

#include <string>

#include "ulisse/prior.h"
#include "ulisse/types.h"

namespace ulisse {

// A prior on what people think in: a density of the quantity q = constant theta^power, as of the
// length scale l = (2 tau)^(-1/2). Without a name the quantity is theta itself.
struct StatedPrior {
  Prior prior;
  std::string quantity = {};  // "lengthscale", "signal_sd", "noise_sd"
  double power = 1, constant = 1;
  bool data_units = false;  // q is in the units of the table, which scaled() makes `constant` of
  bool by_default = false;  // nobody has said it

  StatedPrior(const Prior& of_theta) : prior(of_theta) {}

  // log of the density of psi = log(theta), and its derivative.
  ValueAndSlope log_density_psi(double psi) const;

  std::string to_string() const;  // "gamma(1,1)", "lengthscale=inverse-gamma(3,2)"
};

}  // namespace ulisse
