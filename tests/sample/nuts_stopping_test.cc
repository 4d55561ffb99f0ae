// Where a trajectory stops, against a plain twin that looks at the whole orbit.

#include <gtest/gtest.h>

#include <map>

#include "sample/nuts_tree.h"
#include "support/densities.h"
#include "support/statistics.h"

namespace ulisse {
namespace {

using testing::correlated_gaussian;
using testing::Gaussian;

// The points of an orbit by their number, the start being 0.
class Orbit {
 public:
  Orbit(const Gaussian& target, const DenseMetric& metric, double step, const PhasePoint& start)
      : target_(target), metric_(metric), step_(step) {
    points_[0] = start;
  }

  const PhasePoint& at(int i) {
    if (!points_.contains(i)) {
      PhasePoint z = at(i > 0 ? i - 1 : i + 1);
      leapfrog(target_, metric_, i > 0 ? step_ : -step_, z);
      points_[i] = z;
    }
    return points_[i];
  }

  // The ends of a stretch no longer move apart.
  bool ends_turn(int first, int last) {
    Vector sum = Vector::Zero(at(0).psi.size());
    for (int i = first; i <= last; ++i) sum += at(i).momentum;
    const auto towards = [&](int i) { return metric_.velocity(at(i).momentum).dot(sum) <= 0; };
    return towards(first) || towards(last);
  }

  // As a whole, or either half with the next point of the other.
  bool turns(int first, int last) {
    const int middle = first + (last - first) / 2;
    return ends_turn(first, last) || ends_turn(first, middle + 1) || ends_turn(middle, last);
  }

  bool turns_anywhere(int first, int last) {
    if (first == last) return false;
    const int middle = first + (last - first) / 2;
    return turns_anywhere(first, middle) || turns_anywhere(middle + 1, last) || turns(first, last);
  }

 private:
  const Gaussian& target_;
  const DenseMetric& metric_;
  double step_;
  std::map<int, PhasePoint> points_;
};

constexpr int kMaxDepth = 6;

// Adds to depths(k) the probability of ending with depth k: both directions are as likely.
void enumerate(Orbit& orbit, int first, int last, int depth, double probability, Vector& depths) {
  const int length = last - first + 1;
  for (const bool forwards : {true, false}) {
    const int begin = forwards ? last + 1 : first - length, end = begin + length - 1;
    if (orbit.turns_anywhere(begin, end)) {
      depths(depth) += probability / 2;
      continue;
    }
    const int all_first = std::min(first, begin), all_last = std::max(last, end);
    if (depth + 1 == kMaxDepth || orbit.turns(all_first, all_last)) {
      depths(depth + 1) += probability / 2;
      continue;
    }
    enumerate(orbit, all_first, all_last, depth + 1, probability / 2, depths);
  }
}

// 4,000 trajectories from each of 20 starts; each comparison raises a false alarm once in a
// million.
TEST(NutsTree, StopsWhereAPlainSearchOfTheOrbitStops) {
  const Gaussian target = correlated_gaussian(3);
  const DenseMetric metric(Matrix::Identity(3, 3));
  const TreeOptions options{.step_size = 0.15, .max_depth = kMaxDepth};
  constexpr int kRuns = 4000;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng = stream(5, 0, Purpose::simulation, seed);
    PhasePoint start = at_rest(target, target.draw(rng));
    start.momentum = metric.draw_momentum(rng);
    Orbit orbit(target, metric, options.step_size, start);
    Vector expected = Vector::Zero(kMaxDepth + 1), seen = Vector::Zero(kMaxDepth + 1);
    enumerate(orbit, 0, 0, 0, 1, expected);
    for (int i = 0; i < kRuns; ++i)
      ++seen(NutsTree(target, metric, options, rng).draw(start).depth);
    for (Index k = 0; k <= kMaxDepth; ++k) {
      const double p = expected(k), sd = std::sqrt(kRuns * p * (1 - p));
      EXPECT_LE(std::abs(seen(k) - kRuns * p), testing::kOneInAMillion * sd + 1e-9)
          << "depth " << k << ", probability " << p;
    }
  }
}

}  // namespace
}  // namespace ulisse
