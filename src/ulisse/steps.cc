#include "ulisse/steps.h"

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

}  // namespace ulisse
