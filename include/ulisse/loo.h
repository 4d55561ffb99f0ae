#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ulisse/fit.h"

// How well a model predicts each row of its table from all others: leave-one-out cross-validation
// of the whole Bayesian model, without fitting again.
//
//   const Loo one = loo(load_fit("rbf-fit")), other = loo(load_fit("ard-fit"));
//   for (const LooDifference& d : compare({one, other})) ...
//
// Given psi the prediction of a row is a Gaussian that follows from one factor. Draws of the
// posterior of psi given all rows are weighted by 1 / p(y_i | y_-i, psi), Pareto-smoothed (Vehtari,
// Gelman and Gabry 2017; Vehtari et al. 2024), which makes them draws given all rows but one.
namespace ulisse {

struct LooOptions {
  Index draws = 500;  // to use at most, spread over all chains
  // exact: by Cholesky; neighbours: by conjugate gradients, variances given the nearest rows,
  // checked by solves; or auto.
  std::string method = "auto";
  std::size_t memory = 0;  // bytes that may be used; 0: half of the machine's
  long rank = 1000;        // of the preconditioner of neighbours, at most
  std::uint64_t seed = 1;  // of its pivots, and of the rows that are checked

  // Called with the draws finished; may throw to end it.
  std::function<void(Index draw)> progress = {};
};

// With its standard error.
struct Estimate {
  double value, error;
};

// An element for each row, on the target's own scale, noise included; predictions are of the row
// from all others.
struct Loo {
  std::string fit;          // its name
  std::string target;       // the target's
  std::string targets;      // a fingerprint of its values, in their order
  std::vector<Index> rows;  // numbers in the file
  Vector observed, mean, sd;
  Vector below;         // the probability of less than what was observed
  Vector elpd;          // log density of what was observed
  Vector elpd_mcse;     // Monte Carlo standard error of that
  Vector p_loo;         // log density with the row among the data, less elpd
  Vector pareto_k;      // reliable up to good_k
  Vector relative_ess;  // of p(y_i | y_-i, psi): loo's r_eff

  Matrix log_density;           // (draws, rows), of y_i given y_-i and psi: what R's loo() takes
  Index draws = 0, chains = 0;  // of all chains, in the order of chains
  std::string method;           // that was used
  double elpd_error = 0;        // of the sum of elpd, by that method; found at some rows
  double good_k = 0.7;          // min(1 - 1 / log10(draws), 0.7)

  // Sums over rows.
  Estimate total_elpd() const;
  Estimate total_p_loo() const;
  Estimate looic() const;  // -2 elpd
  Index bad_rows() const;  // whose pareto_k is above good_k
};

// Throws InputError.
Loo loo(const Fit& fit, const LooOptions& options = {});

// The log of the evidence, p(y), on the target's own scale, with the standardisation of the fit
// taken as known.
struct Evidence {
  Estimate log;
  double pareto_k;  // of the importance weights: the error is reliable up to 0.7
  Index draws;      // of the proposals
};

// By importance sampling with the independent proposals of the sampler mh: Student-t distributions
// at the modes, which the fit knows. One likelihood by Cholesky for each of `draws` new proposals.
// Throws InputError where the fit has no mode, or K does not fit in memory.
Evidence evidence(const Fit& fit, const LooOptions& options = {});

// How far a fit is behind the best one.
struct LooDifference {
  std::size_t which;  // of those compared
  Estimate elpd;      // its elpd less that of the best; the error is of the difference
};

// The best first. Throws InputError where fits are of other rows or other targets.
std::vector<LooDifference> compare(const std::vector<Loo>& fits);

// loo.csv, a line for each row; and log_density as CSV, with the number of the chain in front.
std::string to_csv(const Loo& loo);
std::string log_density_csv(const Loo& loo);

}  // namespace ulisse
