#include "ulisse/steps.h"

#include <algorithm>
#include <cmath>

#include "sample/langevin.h"

namespace ulisse {

std::string why_exact(const SetupProblem& problem, const PosteriorShape& shape) {
  // Langevin's steps are biased from here on, and in few rows from kMaxUnbiasedBend on, from which
  // on other coordinates may help.
  constexpr double kMaxBendOfManyRows = 0.4;
  const UlisseSettings& settings = problem.settings;
  if (!problem.exact_mode() || settings.step > 0) return "";
  if (shape.other.is_there()) return "the posterior has another mode";
  if (shape.survey.repaired) return "the posterior has no maximum where it was sought";
  const double most =
      problem.rows() <= settings.careful_rows ? kMaxUnbiasedBend : kMaxBendOfManyRows;
  if (!(shape.survey.bend < most)) return "the posterior is far from Gaussian";
  if (problem.rows() <= settings.exact_rows) return "there are few rows";
  return "";
}

std::string why_corrected(const SetupProblem& problem, const PosteriorShape& shape) {
  if (problem.exact_mode()) return why_exact(problem, shape);
  const auto bytes =
      8 * static_cast<std::size_t>(problem.rows()) * static_cast<std::size_t>(problem.rows());
  const bool affordable =
      problem.rows() <= kMaxCorrectedRows && (problem.memory == 0 || bytes <= problem.memory);
  if (!affordable || problem.settings.step > 0) return "";
  return shape.survey.bend < kMaxUnbiasedBend ? "" : "the posterior is far from Gaussian";
}

std::string why_no_surrogate(const SetupProblem& problem, const PosteriorShape& shape,
                             double other_modes_share) {
  // Gradients tell nothing of a mode that is elsewhere, and a covariance of so many parameters'
  // gradients takes too long to factorise.
  constexpr double kMaxShareOfOtherModes = 0.005;
  constexpr Index kMaxParameters = 50;
  const UlisseSettings& settings = problem.settings;
  if (settings.no_surrogate) return "none was asked for";
  if (settings.step > 0) return "a step was given";
  if (problem.rows() <= settings.exact_rows) return "there are few rows";
  if (problem.parameters() > kMaxParameters) return "there are many parameters";
  if (shape.other.is_there() || other_modes_share >= kMaxShareOfOtherModes) {
    return "the posterior has another mode";
  }
  if (shape.survey.repaired) return "the posterior has no maximum where it was sought";
  if (!std::isfinite(shape.survey.bend)) return "gradients could not be computed around the mode";
  return "";
}

long most_lessons(Index parameters) {
  constexpr Index kMaxNumbers = 6000;
  return static_cast<long>(std::min(60 + 20 * parameters, kMaxNumbers / parameters));
}

}  // namespace ulisse
