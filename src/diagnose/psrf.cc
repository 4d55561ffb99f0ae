#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <cmath>
#include <stdexcept>

#include "diagnose/chains.h"
#include "diagnose/moments.h"
#include "ulisse/diagnose.h"

namespace ulisse::diagnose {
namespace {

// Above 4e5 degrees of freedom F is as good as its limit, chi-square; R takes it there, too.
double f_quantile(double probability, double numerator, double denominator) {
  if (std::isnan(denominator)) return kUnknown;
  if (denominator > 4e5) {
    return boost::math::quantile(boost::math::chi_squared(numerator), probability) / numerator;
  }
  return boost::math::quantile(boost::math::fisher_f(numerator, denominator), probability);
}

// (df + 3) / (df + 1), with df the degrees of freedom of the pooled variance V when the draws are
// approximated by Student's t. The variance of V takes those of B and W and their covariance; with
// means about their centre, which keeps digits that coda loses when it is far from zero.
double student_factor(const ChainMoments& moments, double n, double within, double between) {
  const auto m = static_cast<double>(moments.means.size());
  const double scale = 1 + 1 / m;
  const Vector squares = (moments.means.array() - moments.means.mean()).square();
  const double var_within = variance(moments.variances) / m;
  const double var_between = 2 * between * between / (m - 1);
  const double cov = n / m * covariance(moments.variances, squares);
  const double v = ((n - 1) * within + scale * between) / n;
  const double var_v =
      ((n - 1) * (n - 1) * var_within + scale * scale * var_between + 2 * (n - 1) * scale * cov) /
      (n * n);
  const double df = 2 * v * v / var_v;
  return (df + 3) / (df + 1);
}

Psrf psrf_of(const ConstBlock& chains, double confidence) {
  if (chains.cols() < 2) return {kUnknown, kUnknown};
  const auto n = static_cast<double>(chains.rows()), m = static_cast<double>(chains.cols());
  const ChainMoments moments = chain_moments(chains);
  const double within = moments.variances.mean(), between = n * variance(moments.means);
  const double var_within = variance(moments.variances) / m;
  const double f = f_quantile((1 + confidence) / 2, m - 1, 2 * within * within / var_within);
  const double factor = student_factor(moments, n, within, between);
  const double fixed = (n - 1) / n, random = (1 + 1 / m) / n * between / within;
  return {std::sqrt(factor * (fixed + random)), std::sqrt(factor * (fixed + f * random))};
}

}  // namespace

Psrf psrf(const ConstBlock& draws, const PsrfOptions& options) {
  if (!(options.confidence > 0 && options.confidence < 1)) {
    throw std::invalid_argument(fmt::format("the confidence is {}", options.confidence));
  }
  const Index n = draws.rows();
  const bool discard = options.discard_half && n > 2;  // of two draws coda keeps both
  return psrf_of(draws.bottomRows(discard ? n / 2 : n), options.confidence);
}

std::vector<PsrfPoint> psrf_path(const ConstBlock& draws, const PsrfOptions& options,
                                 Index max_bins) {
  if (max_bins < 1) throw std::invalid_argument(fmt::format("there are {} bins", max_bins));
  constexpr Index first = 50;
  const Index beyond = draws.rows() - first;
  if (beyond < 1) return {};
  const Index bins = std::min(beyond, max_bins), width = beyond / bins;
  std::vector<PsrfPoint> path;
  for (Index bin = 0; bin <= bins; ++bin) {
    // What the bins leave over goes to a last one; it repeats the one before when nothing is left.
    const Index last = bin < bins ? first + 1 + bin * width : draws.rows();
    path.push_back({last, psrf(draws.topRows(last), options)});
  }
  return path;
}

}  // namespace ulisse::diagnose
