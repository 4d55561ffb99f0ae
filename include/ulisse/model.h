#pragma once

#include <string>
#include <vector>

#include "ulisse/kernel.h"
#include "ulisse/noise.h"
#include "ulisse/prior.h"
#include "ulisse/types.h"

namespace ulisse {

struct Parameter {
  std::string name;
  Prior prior;
};

// What is to be inferred: a kernel on d inputs, the noise, and a prior for each of their
// parameters. Chains move in psi = log(theta).
struct Model {
  Kernel kernel;
  Index dimensions;
  Noise noise = {};
  std::vector<Parameter> parameters = {};  // in the order of psi: the kernel's, then the noise's

  Index parameter_count() const { return static_cast<Index>(parameters.size()); }
  std::vector<std::string> names() const;

  // The parts of a psi.
  Vector kernel_psi(const ConstVector& psi) const;
  Vector noise_psi(const ConstVector& psi) const;

  // The log prior density of psi, with the Jacobian of the log transform.
  ValueAndGradient log_prior(const ConstVector& psi) const;
};

// Gamma(1, 1) on everything but what `priors` says: "tau=gamma(1,1)" for one parameter, or for all
// of tau.1, ..., tau.d; later ones win. Throws InputError.
Model make_model(const Kernel& kernel, Index dimensions,
                 const std::vector<std::string>& priors = {});

}  // namespace ulisse
