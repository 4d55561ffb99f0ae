#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "solve/weighted_sums.h"
#include "ulisse/unbiased.h"

namespace ulisse {

namespace {

WeightedSums::Decide independent_decisions(Rng& rng) {
  return [&rng](Index, Index, int, double probability) {
    return probability >= 1 || rng.uniform() < probability;
  };
}

// Estimate e of a column goes on while its probability of coming so far is above one number drawn
// for e.
WeightedSums::Decide common_decisions(const std::vector<int>& estimates, Rng& rng) {
  std::vector<double> draws(*std::max_element(estimates.begin(), estimates.end()));
  for (double& draw : draws) draw = rng.uniform();
  struct Progress {
    int term = -1;
    double survival = 1;
  };
  return [draws, columns = std::vector<Progress>(estimates.size())](
             Index column, Index estimate, int term, double probability) mutable {
    Progress& c = columns[column];
    if (c.term != term) {
      c.term = term;
      c.survival *= probability;
    }
    return draws[estimate] < c.survival;
  };
}

}  // namespace

int UnbiasedSummary::untrustworthy() const {
  return static_cast<int>(std::count_if(columns.begin(), columns.end(), [](const auto& c) {
    return c.rare_share > kUntrustworthyShare;
  }));
}

double UnbiasedSummary::mean_terms() const {
  double terms = 0, estimates = 0;
  for (const ColumnTruncation& c : columns) {
    for (const int t : c.terms) terms += t;
    estimates += static_cast<double>(c.terms.size());
  }
  return estimates > 0 ? terms / estimates : 0;
}

std::string UnbiasedSummary::warning() const {
  if (untrustworthy() == 0) return {};
  const auto worst =
      std::max_element(columns.begin(), columns.end(),
                       [](const auto& a, const auto& b) { return a.rare_share < b.rare_share; });
  return fmt::format(
      "{} of {} truncated solves rest on draws that are too rare to be seen: up to {:.0f} % of the "
      "correction has a probability under {:g}, so the estimates are biased in practice and their "
      "variance cannot be judged; use a preconditioner of higher rank, a smaller q, or the rule "
      "'matched'",
      untrustworthy(), columns.size(), 100 * worst->rare_share, kRareDraw);
}

Matrix unbiased_solve(const LinearOperator& a, const LinearOperator* preconditioner,
                      const ConstBlock& b, Block x, const std::vector<int>& estimates,
                      const UnbiasedOptions& options, Rng& rng, UnbiasedSummary& summary) {
  if (static_cast<Index>(estimates.size()) != b.cols() ||
      std::any_of(estimates.begin(), estimates.end(), [](int count) { return count < 1; })) {
    throw std::invalid_argument(
        fmt::format("{} right-hand sides want a number of estimates each, of 1 or more", b.cols()));
  }
  if (options.rule == nullptr) throw std::invalid_argument("an unbiased solve wants a rule");
  WeightedSums sums(
      b.rows(), estimates, options.early_stop, options.test, *options.rule,
      options.common_draws ? common_decisions(estimates, rng) : independent_decisions(rng));
  CgOptions cg = options.cg;
  cg.observer = &sums;
  summary.solve = conjugate_gradients(a, preconditioner, b, x, cg);
  summary.columns = sums.summary();
  return sums.estimates(x);
}

}  // namespace ulisse
