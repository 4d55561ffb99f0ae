#pragma once

#include <string>
#include <vector>

#include "ulisse/dataset.h"
#include "ulisse/kernel.h"
#include "ulisse/layout.h"
#include "ulisse/noise.h"
#include "ulisse/types.h"

namespace ulisse {

// What is to be inferred: a kernel on d inputs, the noise, and the layout of their parameters in
// psi = log(theta), where chains move.
struct Model {
  Kernel kernel;
  Index dimensions = 0;
  Noise noise = {};
  Layout layout = {};

  // As they were given: what a fit writes down of them.
  std::string kernel_text = {};
  std::vector<std::string> prior_texts = {};

  // Of psi.
  Index parameter_count() const { return layout.size(); }
  std::vector<std::string> names() const { return layout.names(); }
  ValueAndGradient log_prior(const ConstVector& psi) const { return layout.log_prior(psi); }

  // Of the function at a point, and of an observation beyond it, at a psi.
  double signal_variance(const ConstVector& psi) const;
  double noise_variance(const ConstVector& psi) const;
};

// Gamma(1, 1) on everything but what `priors` says: "tau=gamma(1,1)" for one parameter, or for all
// of tau.1, ..., tau.d; later ones win. Throws InputError.
Model make_model(const Kernel& kernel, Index dimensions,
                 const std::vector<std::string>& priors = {});

// The same by the kernel's name, for a table: priors may name an input, "tau.age=gamma(2,4)".
Model make_model(const std::string& kernel, const Dataset& data,
                 const std::vector<std::string>& priors = {});

}  // namespace ulisse
