#include "gradient/other_modes.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace ulisse {

std::vector<Vector> starts_around(const Mode& mode, Index n, const ExactPosterior& small,
                                  const Evaluated& evaluated) {
  constexpr double kFar = 8;           // standard deviations; from 5 climbs lead back more often
  constexpr double kHopeless = 6;      // of log density: less than a hundredth of the mass
  constexpr double kTolerance = 0.03;  // standard deviations
  const double wider = std::sqrt(static_cast<double>(n) / static_cast<double>(small.size()));
  const Matrix factor = wider * Matrix(mode.covariance.llt().matrixL());
  const auto home = climb(small, factor, mode.psi, kTolerance, evaluated);
  if (!home) return {};
  std::vector<Vector> ends = {home->psi};
  for (Index k = 0; k < mode.psi.size(); ++k) {
    const Vector sd_away = wider * mode.covariance.col(k) / std::sqrt(mode.covariance(k, k));
    for (const double side : {kFar, -kFar}) {
      const auto reached = climb(small, factor, mode.psi + side * sd_away, kTolerance, evaluated);
      if (!reached || !(reached->log_density > home->log_density - kHopeless)) continue;
      const bool seen = std::any_of(ends.begin(), ends.end(), [&](const Vector& other) {
        return is_near(other, reached->psi);
      });
      if (!seen) ends.push_back(reached->psi);
    }
  }
  ends.erase(ends.begin());
  return ends;
}

bool are_of_one_piece(const ExactPosterior& posterior, const Climb& a, const Climb& b,
                      const Evaluated& evaluated) {
  constexpr int kPlaces = 7;
  constexpr double kBarrier = 1;  // of log density
  const double floor = std::min(a.log_density, b.log_density) - kBarrier;
  for (int i = 1; i <= kPlaces; ++i) {
    const double share = i / (kPlaces + 1.0);
    const double between = posterior.log_density((1 - share) * a.psi + share * b.psi).value;
    evaluated(std::max(a.log_density, b.log_density));
    if (!(between > floor)) return false;
  }
  return true;
}

}  // namespace ulisse
