#pragma once

#include <gtest/gtest.h>
#include <oneapi/tbb/parallel_for.h>

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "support/sanitized.h"
#include "ulisse/types.h"

namespace ulisse::testing {

// One replicate of simulation-based calibration (Talts et al. 2018): parameters drawn from their
// prior, data drawn given them, and nearly independent draws from the posterior given those data.
struct CalibrationReplicate {
  Vector truth;  // (q) quantities at the true parameters
  Matrix draws;  // (L, q) the same quantities at the draws
};

// How many draws lie below the truth, (q): uniform on 0, ..., L when the sampler is right, since
// truth and draws then have one distribution.
inline Vector ranks_of(const CalibrationReplicate& replicate) {
  const auto truth = replicate.truth.transpose().replicate(replicate.draws.rows(), 1).array();
  return (replicate.draws.array() < truth).cast<double>().colwise().sum().transpose();
}

// (replicates, q) ranks of run(0), run(1), ...; side by side, so run must not share state.
// `replicates` are few, for time; script/judge-calibration has more.
template <class Run>
Matrix calibration_ranks(int replicates, const Run& run) {
  const char* wanted = std::getenv("ULISSE_CALIBRATION_REPLICATES");
  replicates = wanted == nullptr ? repeats(replicates, 8) : std::atoi(wanted);
  std::vector<Vector> ranks(static_cast<std::size_t>(replicates));
  tbb::parallel_for(0, replicates,
                    [&](int i) { ranks[static_cast<std::size_t>(i)] = ranks_of(run(i)); });
  Matrix all(replicates, ranks[0].size());
  for (Index i = 0; i < all.rows(); ++i) {
    all.row(i) = ranks[static_cast<std::size_t>(i)].transpose();
  }
  return all;
}

// The histogram of ranks on 0, ..., `draws` in `bins` bins, which must divide draws + 1.
inline Vector rank_histogram(const Vector& ranks, int draws, int bins) {
  Vector counts = Vector::Zero(bins);
  for (const double rank : ranks) ++counts(static_cast<Index>(rank) * bins / (draws + 1));
  return counts;
}

// Standard errors by which the mean and the mean square distance from the middle of ranks differ
// from those of a uniform law on 0, ..., `draws`: the first sees a shift of the draws, the second
// draws that are spread too little or too much. With 320 replicates of 63 draws (as
// script/judge-calibration has, and more), three quantities and a false-alarm rate of 1e-3 they see
// a shift of 0.3 posterior standard deviations nine times in ten, and standard deviations that are
// off by the factors 0.8 and 1.25 eight times in ten (by simulation); Pearson's test sees other
// shapes, and these half as often. What is seen with fewer is larger by the root of their ratio.
struct RankMoments {
  double mean, spread;
};
inline RankMoments rank_moments(const Vector& ranks, int draws) {
  const double m = draws + 1.0, variance = (m * m - 1) / 12;
  const double fourth = (m * m - 1) * (3 * m * m - 7) / 240;
  const auto distance = ranks.array() - draws / 2.0;
  const double root = std::sqrt(static_cast<double>(ranks.size()));
  return {distance.mean() * root / std::sqrt(variance),
          (distance.square().mean() - variance) * root / std::sqrt(fourth - variance * variance)};
}

// Tests of uniformity for each quantity: Pearson's, and of the ranks' mean and spread;
// `false_alarm` is the rate of all of them together.
inline void expect_uniform(const Matrix& ranks, int draws, int bins, double false_alarm) {
  if (kSanitized) return;
  const double rate = false_alarm / (3 * static_cast<double>(ranks.cols()));
  const boost::math::chi_squared distribution(bins - 1);
  const double limit = boost::math::quantile(boost::math::complement(distribution, rate));
  const double errors =
      boost::math::quantile(boost::math::complement(boost::math::normal(), rate / 2));
  for (Index q = 0; q < ranks.cols(); ++q) {
    const Vector counts = rank_histogram(ranks.col(q), draws, bins);
    const double expected = static_cast<double>(ranks.rows()) / bins;
    const double chi_square = (counts.array() - expected).square().sum() / expected;
    EXPECT_LT(chi_square, limit) << "quantity " << q << ": " << counts.transpose();
    const RankMoments moments = rank_moments(ranks.col(q), draws);
    EXPECT_LT(std::abs(moments.mean), errors) << "quantity " << q << ": " << counts.transpose();
    EXPECT_LT(std::abs(moments.spread), errors) << "quantity " << q << ": " << counts.transpose();
  }
}

}  // namespace ulisse::testing
