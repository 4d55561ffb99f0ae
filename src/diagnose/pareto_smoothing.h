#pragma once

#include "ulisse/types.h"

// Pareto-smoothed importance sampling (Vehtari, Simpson, Gelman, Yao and Gabry 2024). Equal to R's
// loo 2.5.1 to rounding.
namespace ulisse::diagnose {

struct SmoothedWeights {
  Vector log_weights;  // normalised: their exponentials have the sum 1
  // Shape of the generalised Pareto distribution of the largest weights, shrunk towards 0.5 by ten
  // observations of weight. Above 0.7 estimates by the weights are unreliable. Infinite where
  // fewer than five weights are in the tail, or where these are equal.
  double k;
};

// Of the logarithms of importance ratios. The min(S / 5, 3 sqrt(S / relative_ess)) largest of S are
// replaced by quantiles of a generalised Pareto distribution that is fitted to them, none of them
// above the largest ratio.
SmoothedWeights pareto_smoothed(const ConstVector& log_ratios, double relative_ess = 1);

// Effective sample size of the mean over the number of draws, (draws, chains), of chains that are
// not split: loo's relative_eff(). NaN where there is nothing to say.
double relative_ess(const ConstBlock& draws);

// A generalised Pareto distribution: 1 - (1 + k x / sigma)^(-1/k).
struct GeneralisedPareto {
  double k, sigma;
  double quantile(double p) const;
};

// By the empirical Bayes estimate of Zhang and Stephens (2009), with the weakly informative prior
// on k of loo. x: rising, positive.
GeneralisedPareto fit_generalised_pareto(const ConstVector& x);

// log(sum_i exp(x_i)).
double log_sum_exp(const ConstVector& x);

}  // namespace ulisse::diagnose
