#include "fit/second_mode.h"

#include <Eigen/Cholesky>

#include "gradient/whitened.h"

namespace ulisse {

std::optional<Matrix> covariance_around(const ExactPosterior& posterior, const Vector& psi) {
  const Eigen::LLT<Matrix> information(-posterior.hessian(psi));
  if (information.info() != Eigen::Success) return std::nullopt;
  return information.solve(Matrix::Identity(psi.size(), psi.size()));
}

bool is_worth_swaps(const Mode& mode) {
  constexpr double kLeast = 0.001, kMost = 0.1;
  return mode.other_share >= kLeast && mode.other_share <= kMost;
}

std::optional<ModeSwap> swap_with_second_mode(const ExactPosterior& posterior,
                                              const UlisseSetup& setup) {
  constexpr double kStable = 3.5;  // steps diverge from 4 on
  if (!is_worth_swaps(setup.mode)) return std::nullopt;
  const auto covariance = covariance_around(posterior, setup.mode.other_psi);
  if (!covariance) return std::nullopt;
  const Survey& survey = setup.survey;
  const Vector there = survey.coordinates.u(setup.mode.other_psi);
  const Vector slope = survey.coordinates.slope(there).cwiseInverse();
  const Matrix around = slope.asDiagonal() * *covariance * slope.asDiagonal();
  const Matrix factor = survey.metric.llt().matrixL();
  if (setup.step * largest_eigenvalue(factor, around.inverse()) > kStable) return std::nullopt;
  return ModeSwap(survey.centre, survey.metric, there, around);
}

}  // namespace ulisse
