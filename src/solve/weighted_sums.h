#pragma once

#include <functional>
#include <vector>

#include "ulisse/unbiased.h"

namespace ulisse {

// Watches a CG solve and keeps what its estimates differ from CG's own answer by. A column goes on
// while one of its estimates does.
class WeightedSums : public CgObserver {
 public:
  // Whether an estimate takes its next term, given the probability that it does.
  using Decide = std::function<bool(Index column, Index estimate, int term, double probability)>;

  WeightedSums(Index n, const std::vector<int>& estimates, double early_stop, EarlyStopTest test,
               const TruncationRule& rule, Decide decide);

  bool start(Index column, double residual) override;
  bool update(Index column, int iteration, double step, const ConstVector& direction,
              double residual) override;

  // x is CG's answer; (n, all estimates).
  Matrix estimates(const ConstBlock& x) const;
  std::vector<ColumnTruncation> summary() const;

 private:
  struct Estimate {
    bool alive = true;
    int terms = 0;
  };
  struct Column {
    Index first = 0;  // its estimates' place among all
    std::vector<Estimate> estimates;
    int early_stop = -1;
    double survival = 1;            // the probability of having come so far
    double weight = 1;              // of the last term that an estimate took
    std::vector<double> history;    // residuals from the start
    std::vector<double> residuals;  // before each term, from the early stop on
  };

  bool begin(Column& column, int iteration);
  bool draw(Column& column);
  double rare_share(const Column& column) const;

  double early_stop_;
  EarlyStopTest test_;
  const TruncationRule& rule_;
  Decide decide_;
  std::vector<Column> columns_;
  Matrix corrections_;  // (n, all estimates): estimate - CG's answer
};

}  // namespace ulisse
