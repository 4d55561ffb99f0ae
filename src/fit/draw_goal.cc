#include "fit/draw_goal.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/option_names.h"
#include "fit/finding_limits.h"
#include "ulisse/diagnose.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

constexpr long kEssOfExactSteps = 1000;

// Draws at most over draws at first. With 20 and four chains of 500 draws a goal of 1,000 takes
// one effective sample in 40 draws: chains that have fewer want another prior, warm-up or sampler,
// not more draws. Where a likelihood takes long they are asked for sooner.
constexpr Index kQuickRows = 1000;
long most_over_first(Index n) { return n <= kQuickRows ? 20 : 4; }

// The next look is where there would be enough if draws went on to be worth as much, with a tenth
// to spare; not so soon that looks take the time, nor so far that a bad estimate costs it.
constexpr double kSpare = 1.1, kLeastGrowth = 1.2, kMostGrowth = 2, kGrowthForRhat = 1.5;
constexpr long kMultiple = 10;

}  // namespace

DrawGoal goal_of(const FitSettings& s, Algorithm algorithm) {
  const bool exact = algorithm == Algorithm::nuts || algorithm == Algorithm::metropolis;
  DrawGoal goal{.draws = s.draws, .max_draws = std::max(s.draws, s.max_draws), .ess = s.ess};
  if (goal.ess == 0 && exact) goal.ess = kEssOfExactSteps;
  if (runs_by_iterations(s)) goal.ess = 0;
  return goal;
}

void settle_draws(const OptionValues& given, Index n, bool resumes, FitSettings& s) {
  const auto has = [&](const char* key) { return given.count(key) > 0; };
  if (runs_by_iterations(s)) {
    if (has("ess") && s.ess > 0) {
      throw InputError(fmt::format("{} does not go with {}, which says when chains end",
                                   option_named("ess"), option_named("iterations")));
    }
    return;
  }
  const bool says_until = has("ess") || has("max_draws");
  if (has("draws") && !says_until) s.ess = s.max_draws = 0;
  if ((has("draws") || resumes) && !says_until) return;
  if (!has("max_draws")) s.max_draws = std::max(s.max_draws, most_over_first(n) * s.draws);
  if (s.max_draws == 0) return;
  if (!has("draws") && !resumes) s.draws = std::min(s.draws, s.max_draws);
  if (s.max_draws < s.draws) {
    throw InputError(fmt::format("{} must be at least {}",
                                 option_set("max_draws", static_cast<double>(s.max_draws)),
                                 option_set("draws", static_cast<double>(s.draws))));
  }
}

DrawsUntilGoal::DrawsUntilGoal(const DrawGoal& goal, Index parameters, int chains)
    : goal_(goal),
      parameters_(parameters),
      theta_(static_cast<std::size_t>(chains)),
      next_(goal.draws) {}

// As chain files have it, bit for bit: whoever goes on reads the draws there.
void DrawsUntilGoal::add(int chain, std::span<const Transition> draws) {
  if (goal_.is_number()) return;
  std::vector<double>& all = theta_[static_cast<std::size_t>(chain)];
  for (const Transition& draw : draws) {
    for (const double psi : draw.psi) all.push_back(std::exp(psi));
  }
}

void DrawsUntilGoal::add(int chain, const Matrix& theta) {
  if (goal_.is_number()) return;
  std::vector<double>& all = theta_[static_cast<std::size_t>(chain)];
  for (Index i = 0; i < theta.rows(); ++i) {
    for (Index j = 0; j < theta.cols(); ++j) all.push_back(theta(i, j));
  }
}

void DrawsUntilGoal::forget() {
  for (auto& chain : theta_) chain.clear();
  next_ = goal_.draws;
  look_ = {};
}

long DrawsUntilGoal::wanted() {
  if (goal_.is_number()) return goal_.draws;
  while (!look_.reached && next_ <= count()) {
    look_ = look_at(next_);
    if (look_.reached || next_ >= goal_.max_draws) break;
    next_ = after(next_);
  }
  return next_;
}

GoalRecord DrawsUntilGoal::record() const {
  return {.ess = goal_.ess,
          .max_draws = goal_.max_draws,
          .reached = look_.reached,
          .effective = look_.ess,
          .rhat = look_.rhat};
}

long DrawsUntilGoal::count() const {
  std::size_t least = theta_.front().size();
  for (const auto& chain : theta_) least = std::min(least, chain.size());
  return static_cast<long>(least) / parameters_;
}

DrawsUntilGoal::Look DrawsUntilGoal::look_at(long draws) const {
  Look look{.ess = INFINITY, .rhat = 0};
  Matrix of_one(draws, static_cast<Index>(theta_.size()));
  for (Index j = 0; j < parameters_; ++j) {
    for (Index c = 0; c < of_one.cols(); ++c) {
      const std::vector<double>& chain = theta_[static_cast<std::size_t>(c)];
      for (Index i = 0; i < draws; ++i) {
        of_one(i, c) = chain[static_cast<std::size_t>(i * parameters_ + j)];
      }
    }
    // What cannot be computed is not enough.
    for (const double ess : {diagnose::ess_bulk(of_one), diagnose::ess_tail(of_one)}) {
      look.ess = std::isnan(ess) ? 0 : std::min(look.ess, ess);
    }
    const double rhat = diagnose::rhat(of_one);
    look.rhat = std::isnan(rhat) ? INFINITY : std::max(look.rhat, rhat);
  }
  look.reached = look.ess >= static_cast<double>(goal_.ess) && look.rhat < finding_limits::kRhat;
  return look;
}

long DrawsUntilGoal::after(long draws) const {
  double growth = kSpare * static_cast<double>(goal_.ess) / look_.ess;
  if (look_.rhat >= finding_limits::kRhat) growth = std::max(growth, kGrowthForRhat);
  growth = std::clamp(growth, kLeastGrowth, kMostGrowth);
  const double tens = std::ceil(growth * static_cast<double>(draws) / kMultiple);
  return std::min(goal_.max_draws, kMultiple * static_cast<long>(tens));
}

}  // namespace ulisse
