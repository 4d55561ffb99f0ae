#include "ulisse/second_mode.h"

#include <Eigen/Cholesky>

namespace ulisse {

std::optional<Matrix> covariance_around(const ExactPosterior& posterior, const Vector& psi) {
  const Eigen::LLT<Matrix> information(-posterior.hessian(psi));
  if (information.info() != Eigen::Success) return std::nullopt;
  return information.solve(Matrix::Identity(psi.size(), psi.size()));
}

OtherMode survey_second_mode(const ExactPosterior& posterior, const Mode& mode,
                             const Coordinates& coordinates) {
  constexpr double kMinShareOfMass = 0.005;
  if (!(mode.second_share >= kMinShareOfMass)) return {};
  const auto covariance = covariance_around(posterior, mode.other_psi);
  if (!covariance) return {};
  OtherMode other;
  other.centre = coordinates.u(mode.other_psi);
  const Vector slope = coordinates.slope(other.centre).cwiseInverse();
  other.covariance = slope.asDiagonal() * *covariance * slope.asDiagonal();
  return other;
}

}  // namespace ulisse
