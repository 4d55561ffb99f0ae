#include "fit/second_mode.h"

#include <Eigen/Cholesky>

namespace ulisse {

std::optional<Matrix> covariance_around(const ExactPosterior& posterior, const Vector& psi) {
  const Eigen::LLT<Matrix> information(-posterior.hessian(psi));
  if (information.info() != Eigen::Success) return std::nullopt;
  return information.solve(Matrix::Identity(psi.size(), psi.size()));
}

void survey_second_mode(const ExactPosterior& posterior, UlisseSetup& setup) {
  constexpr double kLeast = 0.005;
  if (!(setup.mode.second_share >= kLeast)) return;
  const auto covariance = covariance_around(posterior, setup.mode.other_psi);
  if (!covariance) return;
  const Coordinates& coordinates = setup.survey.coordinates;
  setup.second_centre = coordinates.u(setup.mode.other_psi);
  const Vector slope = coordinates.slope(setup.second_centre).cwiseInverse();
  setup.second_covariance = slope.asDiagonal() * *covariance * slope.asDiagonal();
}

std::optional<ModeSwap> swap_with_second_mode(const UlisseSetup& setup) {
  if (!setup.has_second_mode()) return std::nullopt;
  return ModeSwap(setup.survey.centre, setup.survey.metric, setup.second_centre,
                  setup.second_covariance);
}

}  // namespace ulisse
