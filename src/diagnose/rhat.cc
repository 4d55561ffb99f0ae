#include <cmath>

#include "diagnose/chains.h"
#include "diagnose/moments.h"
#include "diagnose/normal_scores.h"
#include "ulisse/diagnose.h"

namespace ulisse::diagnose {
namespace {

// Of chains as they are, neither split nor ranked:
// sqrt((B / W + n - 1) / n), B / n the variance of the chains' means, W the mean of their
// variances. Infinite for chains that stand still in different places.
double rhat_of(const ConstBlock& chains) {
  if (nothing_to_say(chains)) return kUnknown;
  const auto n = static_cast<double>(chains.rows());
  const ChainMoments moments = chain_moments(chains);
  const double between = n * variance(moments.means), within = moments.variances.mean();
  return std::sqrt((between / within + n - 1) / n);
}

}  // namespace

double rhat_basic(const ConstBlock& draws) { return rhat_of(split_chains(draws)); }

double rhat(const ConstBlock& draws) {
  const double location = rhat_of(normal_scores(split_chains(draws)));
  const double scale = rhat_of(normal_scores(split_chains(folded(draws))));
  return Eigen::Array2d(location, scale).maxCoeff<Eigen::PropagateNaN>();
}

}  // namespace ulisse::diagnose
