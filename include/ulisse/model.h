#pragma once

#include <string>
#include <vector>

#include "ulisse/dataset.h"
#include "ulisse/kernel.h"
#include "ulisse/layout.h"
#include "ulisse/mean.h"
#include "ulisse/noise.h"
#include "ulisse/types.h"

namespace ulisse {

// In which units priors and fixed values are: of standardised columns, or of the table.
inline constexpr const char *kStandardisedUnits = "standardised", *kDataUnits = "data";

// A model in words, as users give it and fits keep it.
struct ModelOptions {
  std::string kernel = "rbf";
  // "tau=gamma(1,1)" for one parameter, or for all of tau.1, ..., tau.d; later ones win. An input
  // may be named, "tau.age=gamma(2,4)". Or of what people think in: "lengthscale=lognormal(0,1)",
  // "lengthscale.age=...", "signal_sd=...", "noise_sd=half-normal(1)". Else
  // what docs/method/model.md has.
  std::vector<std::string> priors = {};
  std::vector<std::string> fixed = {};           // "lambda=0", "noise_sd=0.1"
  std::string prior_units = kStandardisedUnits;  // of both; or kDataUnits
  // Of parameters without a prior: those that this version of ulisse had first, such as 0.1; empty:
  // the latest.
  std::string default_priors = {};
  // Names of inputs, constant for an intercept alone, or linear for all inputs that are numbers;
  // with an intercept in each case. None: no trend.
  std::vector<std::string> trend = {};
  double trend_scale = 10;

  bool operator==(const ModelOptions&) const = default;
};

// What is to be inferred: a mean and a kernel on the columns of x, the noise, and the layout of
// their parameters in psi = log(theta), where chains move.
struct Model {
  Mean mean = {};
  Kernel kernel;
  Index dimensions = 0;  // columns of x: inputs, and the known noise where there is one
  Noise noise = {};
  Layout layout = {};

  // What it was made by, where it was made by that: for messages, and for what a fit writes down.
  ModelOptions given = {.kernel = ""};

  // Of psi.
  Index parameter_count() const { return layout.size(); }
  std::vector<std::string> names() const { return layout.names(); }
  ValueAndGradient log_prior(const ConstVector& psi) const { return layout.log_prior(psi); }

  // Of the function at a point, and of an observation beyond it as far as the row says nothing of
  // it, at a psi.
  double signal_variance(const ConstVector& psi) const;
  double noise_variance(const ConstVector& psi) const;

  // Of an observation of each row of x, (n, d).
  Vector noise_diagonal(const ConstVector& psi, const ConstBlock& x) const {
    return noise.diagonal(layout.noise_psi(psi), x);
  }
};

// For the columns of a table before it is scaled; rows are not needed. Throws InputError.
Model make_model(const ModelOptions& options, const Dataset& data);
Model make_model(const std::string& kernel, const Dataset& data,
                 const std::vector<std::string>& priors = {});

// On `dimensions` inputs without names.
Model make_model(const Kernel& kernel, Index dimensions,
                 const std::vector<std::string>& priors = {});

// Of parts that a program has put together, for the columns of a table; priors are the default
// ones. Members of a model, its layout's priors and fixed parameters may be changed, too, before it
// is fitted.
Model make_model(const Mean& mean, const Kernel& kernel, const Dataset& data);

// The same model for the table after it was scaled.
Model scaled(Model model, const Standardisation& scaling);

}  // namespace ulisse
