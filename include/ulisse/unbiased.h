#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ulisse/covariance.h"
#include "ulisse/random.h"
#include "ulisse/solve.h"
#include "ulisse/types.h"

namespace ulisse {

// How a sum is cut at random without biasing it. CG's answer is a sum of updates d_1 + d_2 + ...;
// from an early stop on, term j = 0, 1, ... is taken with the probability that the rule gives, and
// divided by the probability of having come so far.
class TruncationRule {
 public:
  virtual ~TruncationRule() = default;
  virtual std::string name() const = 0;  // as parse_truncation reads it

  // The probability, in (0, 1], that term j is taken given that those before it were. residuals[i]
  // is the norm of CG's residual before term i, for i = 0, ..., j. It may be used, random numbers
  // may not: a probability that depends on no draw is what keeps the sum unbiased.
  virtual double continuation(int j, std::span<const double> residuals) const = 0;
};

// The paper's weights w_j = exp(b j), probability 1 / w_j.
std::unique_ptr<const TruncationRule> exponential_weights(double b);

// Term j survives with probability (|r_j| / |r_0|)^power, |r_j| the smallest residual so far. With
// power 1 weighted terms keep the size of the first, which is the least variance for its cost.
std::unique_ptr<const TruncationRule> matched_decay(double power);

// "exp(1)", "matched", "matched(0.8)". Throws InputError.
std::unique_ptr<const TruncationRule> parse_truncation(const std::string& text);

// When the residual is first compared with the early stop.
enum class EarlyStopTest {
  after_update,  // as the paper's Algorithm 1 has it: each solve makes at least one whole update
  at_start       // a start below the early stop is left to the rule at once, which saves a product
                 // for each solve that begins close to its solution
};

struct UnbiasedOptions {
  double early_stop = 1;                 // alpha: all updates until |r| < alpha, then by the rule
  const TruncationRule* rule = nullptr;  // must be set
  EarlyStopTest test = EarlyStopTest::after_update;
  CgOptions cg = {.verify = false};  // its observer is not used

  // One draw decides for the k-th estimate of all columns, so that they are cut together: the block
  // ends when its longest does, and independent columns would all wait for the longest of many.
  // Each estimate is as unbiased, but those of different columns are not independent.
  bool common_draws = false;
};

struct ColumnTruncation {
  int early_stop = 0;      // updates before the rule began; -1 if it never did
  std::vector<int> terms;  // taken after it, by each estimate
  double last_weight = 1;  // the largest that a term was given
  // The part of the correction that rests on draws of probability under kRareDraw, judged by the
  // rate at which CG converged: |r| there over |r| at the early stop.
  double rare_share = 0;
};

constexpr double kRareDraw = 1e-3;
constexpr double kUntrustworthyShare = 0.1;

struct UnbiasedSummary {
  SolveSummary solve;
  std::vector<ColumnTruncation> columns;

  // Columns whose variance no run of realistic length sees: rare_share above kUntrustworthyShare.
  int untrustworthy() const;
  double mean_terms() const;    // taken after the early stop, over all estimates
  std::string warning() const;  // in words; empty when there is none
};

// ULISSE: solves A X = B by CG, stops early, and returns estimates whose expectation is CG's own
// answer. estimates[c] independent ones for column c come from one run, with no further products;
// they stand side by side in the result, (n, sum of estimates). x holds the starting points and
// then where CG itself came to, never the estimates.
Matrix unbiased_solve(const LinearOperator& a, const LinearOperator* preconditioner,
                      const ConstBlock& b, Block x, const std::vector<int>& estimates,
                      const UnbiasedOptions& options, Rng& rng, UnbiasedSummary& summary);

}  // namespace ulisse
