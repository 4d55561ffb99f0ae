#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ulisse/types.h"

// What Markov chains say about a quantity, and how far to believe them;
// docs/reference/diagnostics.md explains each number. `draws` has a row for each iteration and a
// column for each chain.
//
// Numbers equal those of R's posterior 1.4.0 and coda 0.19-4 to rounding. NaN stands where R has
// NA: a draw is not finite, all are the same, or there are too few of them.
namespace ulisse::diagnose {

// Of the draws of all chains together. Quantiles are R's type 7.
double mean(const ConstBlock& draws);
double sd(const ConstBlock& draws);
double quantile(const ConstBlock& draws, double probability);
Vector quantiles(const ConstBlock& draws, const std::vector<double>& probabilities);

// Spread of all chains over spread within halves of them; 1 when they agree. Takes 4 draws a chain.
double rhat_basic(const ConstBlock& draws);  // of the draws themselves
double rhat(const ConstBlock& draws);        // of ranks, the larger of location's and scale's

// How many independent draws would tell as much. Takes 6 draws a chain.
double ess_mean(const ConstBlock& draws);
double ess_bulk(const ConstBlock& draws);  // of ranks
double ess_tail(const ConstBlock& draws);  // the smaller of the 5 % and the 95 % quantile's
double ess_quantile(const ConstBlock& draws, double probability);

// Monte Carlo standard errors: how far an estimate may be from the posterior's value.
double mcse_mean(const ConstBlock& draws);
double mcse_sd(const ConstBlock& draws);
double mcse_quantile(const ConstBlock& draws, double probability);

struct ParameterSummary {
  std::string name;
  double mean, sd;
  double mcse;  // of the mean
  double q5, q50, q95;
  double ess_bulk, ess_tail;
  double rhat;
  // Where control variates lessen errors, mean, sd and mcse are by these: the error of sd, and what
  // the draws alone say.
  struct OfDraws {
    double mean, sd, mcse;
  };
  double mcse_sd = NAN;
  std::optional<OfDraws> of_draws = {};
};
ParameterSummary summarise(std::string name, const ConstBlock& draws);

// Wall time of sampling over the smallest bulk ESS of all chains together; NaN when one is NaN.
double seconds_per_independent_sample(double seconds, std::span<const ParameterSummary> parameters);

// Gelman and Rubin's potential scale reduction factor, with Brooks and Gelman's correction for
// degrees of freedom: coda's gelman.diag. NaN for a single chain.
struct Psrf {
  double estimate;
  double upper;  // limit of the one-sided interval of level (1 + confidence) / 2
};
struct PsrfOptions {
  double confidence = 0.95;
  bool discard_half = true;  // coda's autoburnin: only the second half of the draws counts
};
Psrf psrf(const ConstBlock& draws, const PsrfOptions& options = {});

// The factor of the first `last` draws of each chain, for growing `last`: the bins of coda's
// gelman.plot, from 51 to all draws in at most max_bins + 1 steps. Empty for 50 draws or fewer.
struct PsrfPoint {
  Index last;
  Psrf psrf;
};
std::vector<PsrfPoint> psrf_path(const ConstBlock& draws, const PsrfOptions& options = {},
                                 Index max_bins = 50);

// Row i is of the first i + 1 draws of each chain; of one draw there is no deviation, but NaN.
Matrix running_mean(const ConstBlock& draws);
Matrix running_sd(const ConstBlock& draws);

// Of one chain at lags 0, ..., max_lag, or to its last draw if that comes first: R's acf.
Vector autocorrelation(const ConstVector& chain, Index max_lag);

}  // namespace ulisse::diagnose
