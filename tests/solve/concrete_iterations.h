#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/concrete.h"
#include "ulisse/random.h"
#include "ulisse/solve.h"

namespace ulisse::testing {

// The norms of the residuals of each column, by iteration, of a solve.
class ResidualRecorder : public CgObserver {
 public:
  explicit ResidualRecorder(Index columns) : norms_(static_cast<std::size_t>(columns)) {}
  bool update(Index column, int, double, const ConstVector&, double residual) override {
    norms_[column].push_back(residual);
    return true;
  }

  // The first iteration at which all of these columns are below the limit together.
  int iterations_below(double limit, const Indices& columns) const {
    for (int iteration = 1;; ++iteration) {
      const bool below = std::all_of(columns.begin(), columns.end(), [&](Index c) {
        const auto& norms = norms_[c];  // a column that has left the block stays at its last norm
        return norms[std::min<std::size_t>(iteration, norms.size()) - 1] < limit;
      });
      if (below) return iteration;
      if (iteration > 100'000) return iteration;
    }
  }

 private:
  std::vector<std::vector<double>> norms_;
};

// Column 0 is Concrete's y; columns 1 + 4 s, ..., 4 + 4 s are the Rademacher probes of seed s + 1.
inline Matrix concrete_right_hand_sides(int seeds) {
  const Vector& y = concrete().y;
  Matrix b(y.size(), 1 + 4 * seeds);
  b.col(0) = y;
  for (int s = 0; s < seeds; ++s) {
    Rng rng = stream(static_cast<std::uint64_t>(s) + 1, 0, Purpose::probes);
    for (int r = 1; r <= 4; ++r) b.col(4 * s + r) = rng.rademacher_vector(y.size());
  }
  return b;
}

struct Counts {
  int lowest, median, highest;  // over the seeds of the probes
};

// CG's iterations until the largest residual over y and 4 probes is below 1, 0.1 and 0.01 times
// sqrt(n) and below 1e-8, as in METHOD.md's table. Columns do not see each other, so all seeds
// share one solve.
inline std::vector<Counts> concrete_iterations(const LinearOperator& k,
                                               const LinearOperator* preconditioner, int seeds) {
  const Matrix b = concrete_right_hand_sides(seeds);
  Matrix x = Matrix::Zero(b.rows(), b.cols());
  ResidualRecorder recorder(b.cols());
  conjugate_gradients(k, preconditioner, b, x, {.tolerance = 5e-9, .observer = &recorder});
  const double root_n = std::sqrt(static_cast<double>(b.rows()));
  std::vector<Counts> result;
  for (const double limit : {root_n, 0.1 * root_n, 0.01 * root_n, 1e-8}) {
    std::vector<int> counts;
    for (int s = 0; s < seeds; ++s) {
      counts.push_back(
          recorder.iterations_below(limit, {0, 4 * s + 1, 4 * s + 2, 4 * s + 3, 4 * s + 4}));
    }
    std::sort(counts.begin(), counts.end());
    result.push_back({counts.front(), counts[seeds / 2], counts.back()});
  }
  return result;
}

}  // namespace ulisse::testing
