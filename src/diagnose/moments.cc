#include "diagnose/moments.h"

#include <cmath>

#include "data/column_moments.h"
#include "diagnose/chains.h"
#include "ulisse/diagnose.h"

namespace ulisse::diagnose {
namespace {

struct Moments {
  double mean, variance;
};

Moments moments(const ConstVector& values) {
  const auto n = static_cast<double>(values.size());
  if (n < 2 || !values.allFinite()) return {values.sum() / n, kUnknown};
  const ColumnMoments of_column = column_moments(values);
  return {of_column.mean, of_column.sd * of_column.sd};
}

}  // namespace

double variance(const ConstVector& values) { return moments(values).variance; }

double covariance(const ConstVector& a, const ConstVector& b) {
  const double a_mean = moments(a).mean, b_mean = moments(b).mean;
  const double products = ((a.array() - a_mean) * (b.array() - b_mean)).sum();
  return products / static_cast<double>(a.size() - 1);
}

ChainMoments chain_moments(const ConstBlock& draws) {
  ChainMoments result{Vector(draws.cols()), Vector(draws.cols())};
  for (Index chain = 0; chain < draws.cols(); ++chain) {
    const Moments of_chain = moments(draws.col(chain));
    result.means[chain] = of_chain.mean;
    result.variances[chain] = of_chain.variance;
  }
  return result;
}

double mean(const ConstBlock& draws) { return moments(pooled(draws)).mean; }

double sd(const ConstBlock& draws) { return std::sqrt(moments(pooled(draws)).variance); }

}  // namespace ulisse::diagnose
