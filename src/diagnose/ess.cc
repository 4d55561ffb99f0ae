#include <algorithm>
#include <cmath>

#include "diagnose/autocovariance.h"
#include "diagnose/chains.h"
#include "diagnose/moments.h"
#include "diagnose/normal_scores.h"
#include "diagnose/pareto_smoothing.h"
#include "ulisse/diagnose.h"

namespace ulisse::diagnose {
namespace {

// rho_t = 1 - (W - s_t) / V with s_t the autocovariance, W the variance within chains, and V that
// of all chains together: chains that disagree look correlated at every lag.
Vector combined_autocorrelation(const ConstBlock& chains) {
  const auto n = static_cast<double>(chains.rows());
  const Vector s = mean_autocovariance(chains);
  const double within = s[0] * n / (n - 1);
  const double between = chains.cols() > 1 ? variance(chain_moments(chains).means) : 0;
  Vector rho = 1 - (within - s.array()) / (s[0] + between);
  rho[0] = 1;
  return rho;
}

// Geyer's initial positive sequence: sums of neighbours, rho_t + rho_t+1 for even t, are positive
// for a reversible chain, and the first that is not is noise. Returns its t. The limit, too, is
// posterior's, to which this is to be equal.
Index first_noisy_pair(const Vector& rho) {
  Index t = 0;
  while (t < rho.size() - 5 && rho[t] + rho[t + 1] > 0) t += 2;
  return t;
}

// Geyer's initial monotone sequence: the sums fall, too, and one that rises is brought down to the
// one before. Overwrites rho.
void make_monotone(Vector& rho, Index end) {
  for (Index t = 2; t < end; t += 2) {
    const double before = rho[t - 2] + rho[t - 1];
    if (rho[t] + rho[t + 1] > before) rho[t] = rho[t + 1] = before / 2;
  }
}

// tau = 1 + 2 sum_t rho_t over t > 0, the last term once: it steadies tau of antithetic chains.
double autocorrelation_time(Vector rho) {
  const Index end = first_noisy_pair(rho);
  if (rho[end] + rho[end + 1] < 0) rho[end] = std::max(rho[end], 0.0);
  make_monotone(rho, end);
  return -1 + 2 * rho.head(std::max<Index>(end, 1)).sum() + rho[end];
}

// Of chains as they are, neither split nor ranked.
double ess_of(const ConstBlock& chains) {
  if (chains.rows() < 3 || nothing_to_say(chains)) return kUnknown;
  const auto size = static_cast<double>(chains.size());
  const double tau = autocorrelation_time(combined_autocorrelation(chains));
  // A bound for antithetic chains, whose tau is a small difference of large sums.
  return size / std::max(tau, 1 / std::log10(size));
}

}  // namespace

double ess_mean(const ConstBlock& draws) { return ess_of(split_chains(draws)); }

double relative_ess(const ConstBlock& draws) {
  return ess_of(draws) / static_cast<double>(draws.size());
}

double ess_bulk(const ConstBlock& draws) { return ess_of(normal_scores(split_chains(draws))); }

// Of the indicator of being at or below the quantile.
double ess_quantile(const ConstBlock& draws, double probability) {
  if (nothing_to_say(draws)) return kUnknown;
  // All draws are below the largest. Half a draw less leaves one above.
  const auto size = static_cast<double>(draws.size());
  const double limit = quantile(draws, probability == 1 ? (size - 0.5) / size : probability);
  return ess_mean((draws.array() <= limit).cast<double>());
}

double ess_tail(const ConstBlock& draws) {
  return Eigen::Array2d(ess_quantile(draws, 0.05), ess_quantile(draws, 0.95))
      .minCoeff<Eigen::PropagateNaN>();
}

}  // namespace ulisse::diagnose
