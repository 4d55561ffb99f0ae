#include "ulisse/steps.h"

#include <algorithm>
#include <cmath>

#include "sample/langevin.h"

namespace ulisse {

namespace {

using Code = Reason::Code;

Reason few_rows(const SetupProblem& problem) {
  return {Code::few_rows,
          {{"rows", double(problem.rows())}, {"limit", double(problem.settings.exact_rows)}}};
}

Reason not_gaussian(const PosteriorShape& shape, double limit) {
  return {Code::not_gaussian, {{"bend", shape.survey.bend}, {"limit", limit}}};
}

}  // namespace

Reason why_exact(const SetupProblem& problem, const PosteriorShape& shape) {
  // Langevin's steps are biased from here on, and in few rows from kMaxUnbiasedBend on, from which
  // on other coordinates may help.
  constexpr double kMaxBendOfManyRows = 0.4;
  const UlisseSettings& settings = problem.settings;
  if (!problem.exact_mode() || settings.step > 0) return {};
  if (shape.other.is_there()) return {Code::another_mode};
  if (shape.survey.repaired) return {Code::no_maximum};
  const double most =
      problem.rows() <= settings.careful_rows ? kMaxUnbiasedBend : kMaxBendOfManyRows;
  if (!(shape.survey.bend < most)) return not_gaussian(shape, most);
  if (problem.rows() <= settings.exact_rows) return few_rows(problem);
  return {};
}

Reason why_corrected(const SetupProblem& problem, const PosteriorShape& shape) {
  if (problem.exact_mode()) return why_exact(problem, shape);
  const auto bytes =
      8 * static_cast<std::size_t>(problem.rows()) * static_cast<std::size_t>(problem.rows());
  const bool affordable =
      problem.rows() <= kMaxCorrectedRows && (problem.memory == 0 || bytes <= problem.memory);
  if (!affordable || problem.settings.step > 0) return {};
  return shape.survey.bend < kMaxUnbiasedBend ? Reason{} : not_gaussian(shape, kMaxUnbiasedBend);
}

Reason why_no_surrogate(const SetupProblem& problem, const PosteriorShape& shape,
                        double other_modes_share) {
  // Gradients tell nothing of a mode that is elsewhere, and a covariance of so many parameters'
  // gradients takes too long to factorise.
  constexpr double kMaxShareOfOtherModes = 0.005;
  constexpr Index kMaxParameters = 50;
  const UlisseSettings& settings = problem.settings;
  if (settings.no_surrogate) return {Code::surrogate_not_wanted};
  if (settings.step > 0) return {Code::step_given, {{"step", settings.step}}};
  if (problem.rows() <= settings.exact_rows) return few_rows(problem);
  if (problem.parameters() > kMaxParameters) {
    return {Code::many_parameters,
            {{"parameters", double(problem.parameters())}, {"limit", double(kMaxParameters)}}};
  }
  if (shape.other.is_there() || other_modes_share >= kMaxShareOfOtherModes) {
    return {Code::another_mode, {{"share", other_modes_share}}};
  }
  if (shape.survey.repaired) return {Code::no_maximum};
  if (!std::isfinite(shape.survey.bend)) return {Code::no_gradients_around_mode};
  return {};
}

Reason why_uncertified(const SetupProblem& problem, const Learning& learnt) {
  if (learnt.certified()) return {};
  return {learnt.why_not,
          {{"gradients", double(learnt.gradients() - learnt.begun_with)},
           {"limit", double(most_lessons(problem.parameters()))},
           {"attempts", double(learnt.attempts)},
           {"distance", learnt.distance},
           {"goal", problem.settings.certificate}}};
}

long most_lessons(Index parameters) {
  constexpr Index kMaxNumbers = 6000;
  return static_cast<long>(std::min(60 + 20 * parameters, kMaxNumbers / parameters));
}

}  // namespace ulisse
