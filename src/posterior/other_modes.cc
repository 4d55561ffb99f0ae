#include "posterior/other_modes.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace ulisse {

namespace {

// By Laplace's method, up to a constant; none without a covariance.
double log_mass(const Mode& mode) {
  if (mode.covariance.size() == 0) return -INFINITY;
  const Matrix factor = mode.covariance.llt().matrixL();
  return mode.log_density + factor.diagonal().array().log().sum();
}

double log_mass(const Piece& piece) {
  double largest = -INFINITY, sum = 0;
  for (const Mode& top : piece) largest = std::max(largest, log_mass(top));
  if (!std::isfinite(largest)) return largest;
  for (const Mode& top : piece) sum += std::exp(log_mass(top) - largest);
  return largest + std::log(sum);
}

const Mode& heaviest(const Piece& piece) {
  return *std::max_element(piece.begin(), piece.end(),
                           [](const Mode& a, const Mode& b) { return log_mass(a) < log_mass(b); });
}

bool counts(const Piece& piece) {
  return std::any_of(piece.begin(), piece.end(),
                     [](const Mode& top) { return top.converged && top.covariance.size() > 0; });
}

}  // namespace

std::vector<Vector> modes_around(const Mode& home, const ExactPosterior& posterior,
                                 const Evaluated& evaluated) {
  constexpr double kStartDistanceInSd = 8;     // from 5 climbs lead back more often
  constexpr double kMaxLogDensityDeficit = 6;  // beyond it: less than a hundredth of the mass
  constexpr double kToleranceInSd = 0.03;
  const Matrix factor = home.covariance.llt().matrixL();
  std::vector<Vector> ends = {home.psi};
  for (Index k = 0; k < home.psi.size(); ++k) {
    const Vector sd_away = home.covariance.col(k) / std::sqrt(home.covariance(k, k));
    for (const double side : {kStartDistanceInSd, -kStartDistanceInSd}) {
      const auto reached =
          climb(posterior, factor, home.psi + side * sd_away, kToleranceInSd, evaluated);
      if (!reached || !(reached->log_density > home.log_density - kMaxLogDensityDeficit)) continue;
      const bool is_known = std::any_of(ends.begin(), ends.end(), [&](const Vector& other) {
        return is_near(other, reached->psi);
      });
      if (!is_known) ends.push_back(reached->psi);
    }
  }
  ends.erase(ends.begin());
  return ends;
}

bool are_of_one_piece(const ExactPosterior& posterior, const Climb& a, const Climb& b,
                      const Evaluated& evaluated) {
  constexpr int kPlaces = 7;
  constexpr double kLogDensityBarrier = 1;
  const double floor = std::min(a.log_density, b.log_density) - kLogDensityBarrier;
  for (int i = 1; i <= kPlaces; ++i) {
    const double share = i / (kPlaces + 1.0);
    const double between = posterior.log_density((1 - share) * a.psi + share * b.psi).value;
    evaluated(std::max(a.log_density, b.log_density));
    if (!(between > floor)) return false;
  }
  return true;
}

std::vector<Tops> joined(const ExactPosterior& posterior, const std::vector<Climb>& climbs,
                         const Evaluated& evaluated) {
  std::vector<Tops> pieces;
  for (const Climb& each : climbs) {
    const auto same = std::find_if(pieces.begin(), pieces.end(), [&](const Tops& tops) {
      return std::any_of(tops.begin(), tops.end(), [&](const Climb& top) {
        return are_of_one_piece(posterior, top, each, evaluated);
      });
    });
    if (same == pieces.end()) {
      pieces.push_back({each});
    } else {
      same->push_back(each);
    }
  }
  return pieces;
}

Mode best_of(const std::vector<Piece>& pieces, Top top) {
  const auto lighter = [](const Piece& a, const Piece& b) { return log_mass(a) < log_mass(b); };
  const auto best = top == Top::highest ? pieces.begin()
                                        : std::max_element(pieces.begin(), pieces.end(), lighter);
  Mode mode = top == Top::highest ? best->front() : heaviest(*best);
  const double here = log_mass(*best);
  if (!std::isfinite(here)) return mode;
  double others = 0, largest = 0;
  for (auto piece = pieces.begin(); piece != pieces.end(); ++piece) {
    if (piece == best || !counts(*piece)) continue;
    const double ratio = std::exp(log_mass(*piece) - here);
    others += ratio;
    if (ratio > largest) {
      largest = ratio;
      mode.other_psi = heaviest(*piece).psi;
    }
  }
  mode.other_share = others / (1 + others);
  mode.second_share = largest / (1 + others);
  return mode;
}

}  // namespace ulisse
