#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "fit/goal_record.h"
#include "fit/settings.h"
#include "sample/transition.h"
#include "store/chain_file.h"

namespace ulisse {

// When chains end. Effective samples are the least of bulk and tail, over all parameters; R-hat
// must be below finding_limits::kRhat, too.
struct DrawGoal {
  long draws = 0;      // of each chain, at least
  long max_draws = 0;  // at most
  long ess = 0;        // 0: there are `draws`, whatever they say

  bool is_number() const { return ess == 0 || max_draws <= draws; }
};

// Of settings that have been settled. Steps that are not exact cost more, and have a goal only
// where it was asked for.
DrawGoal goal_of(const FitSettings& settings, Algorithm algorithm);

// What the options given say of the goal where they leave something open: draws alone are a fixed
// number of them. n rows; `resumes`: the settings are those of a fit that goes on. Throws
// InputError.
void settle_draws(const OptionValues& given, Index n, bool resumes, FitSettings& settings);

// Looks at the draws when there are so many as the looks before have said, and at no other time:
// when chains end does not depend on how often they were interrupted.
class DrawsUntilGoal {
 public:
  struct Look {
    double ess = NAN, rhat = NAN;
    bool reached = false;
  };

  DrawsUntilGoal(const DrawGoal& goal, Index parameters, int chains);

  void add(int chain, std::span<const Transition> draws);
  void add(int chain, const Matrix& theta);  // (draws, parameters)
  void forget();

  // Draws of each chain that are to be made before the next look; those of the last look where
  // there will be none. The same draws give the same number.
  long wanted();

  const DrawGoal& goal() const { return goal_; }
  const Look& last_look() const { return look_; }
  GoalRecord record() const;

 private:
  long count() const;  // of each chain, so far
  Look look_at(long draws) const;
  long after(long draws) const;

  DrawGoal goal_;
  Index parameters_;
  std::vector<std::vector<double>> theta_;  // of each chain, draw after draw
  long next_;                               // when to look
  Look look_;
};

}  // namespace ulisse
