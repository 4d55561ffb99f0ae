// What learning a surrogate begins with, and what a saved one must be.

#include <algorithm>
#include <cmath>

#include "ulisse/learn_surrogate.h"

namespace ulisse {

namespace {

bool is_code(Reason::Code code) {
  const auto& codes = all_reason_codes();
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

}  // namespace

bool Learning::fits(Index /*rows*/, Index p) const {
  const auto is_square = [p](const Matrix& m) {
    return m.size() == 0 || (m.rows() == p && m.cols() == p);
  };
  return whitening.is_of(p) && known >= 0 && begun_with >= 0 && round >= 0 &&
         known <= gradients() && is_square(covariance) && (mean.size() == 0 || mean.size() == p) &&
         (!ended || surrogate.is_of(p)) && (best_error == INFINITY || best.is_of(p)) &&
         begun_with <= gradients() && is_code(why_not) &&
         std::all_of(lessons.begin(), lessons.end(), [p](const Lesson& l) { return l.fits(p); });
}

Learning begin_learning(const Whitening& whitening, const Lessons& lessons) {
  // Beyond it there are no draws, and a survey's search may have gone far.
  constexpr double kFarInSd = 2.5;
  // More take long to factorise: some then, evenly.
  constexpr Index kMostNumbersAtFirst = 3000;
  Learning learning;
  learning.whitening = whitening;
  learning.surrogate = Surrogate(whitening);
  const double far = std::sqrt(static_cast<double>(whitening.parameters())) + kFarInSd;
  Lessons near;
  for (const Lesson& lesson : lessons) {
    if (lesson.is_finite() && whitening.v(lesson.psi).norm() < far) near.push_back(lesson);
  }
  const std::size_t count =
      std::min(near.size(), static_cast<std::size_t>(kMostNumbersAtFirst / whitening.parameters()));
  for (std::size_t i = 0; i < count; ++i) {
    learning.lessons.push_back(near[i * near.size() / count]);
  }
  learning.known = learning.begun_with = learning.gradients();
  return learning;
}

}  // namespace ulisse
