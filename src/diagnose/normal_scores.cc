#include "diagnose/normal_scores.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <vector>

namespace ulisse::diagnose {
namespace {

struct Ranked {
  double value;
  Index place;
};

std::vector<Ranked> sorted(const Matrix& draws) {
  std::vector<Ranked> result;
  result.reserve(static_cast<std::size_t>(draws.size()));
  for (Index place = 0; place < draws.size(); ++place) {
    result.push_back({draws.data()[place], place});
  }
  std::sort(result.begin(), result.end(),
            [](const Ranked& a, const Ranked& b) { return a.value < b.value; });
  return result;
}

// Boost would compute in long double: 14 ms instead of 4 for 200,000 draws, and no digit more.
using Policy = boost::math::policies::policy<boost::math::policies::promote_double<false>>;

// Blom's: (rank - 3/8) / (count + 1/4).
double score(double rank, std::size_t count) {
  const double probability = (rank - 0.375) / (static_cast<double>(count) + 0.25);
  return boost::math::quantile(boost::math::normal_distribution<double, Policy>(), probability);
}

}  // namespace

Matrix normal_scores(const ConstBlock& draws) {
  if (draws.hasNaN()) return draws;  // nothing has a rank among values that cannot be compared
  const std::vector<Ranked> order = sorted(draws);
  Matrix scores(draws.rows(), draws.cols());
  for (std::size_t first = 0, next = 0; first < order.size(); first = next) {
    while (next < order.size() && order[next].value == order[first].value) ++next;
    const double z = score(static_cast<double>(first + 1 + next) / 2, order.size());
    for (std::size_t i = first; i < next; ++i) scores.data()[order[i].place] = z;
  }
  return scores;
}

}  // namespace ulisse::diagnose
