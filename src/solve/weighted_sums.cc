#include "solve/weighted_sums.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ulisse {

WeightedSums::WeightedSums(Index n, const std::vector<int>& estimates, double early_stop,
                           EarlyStopTest test, const TruncationRule& rule, Decide decide)
    : early_stop_(early_stop),
      test_(test),
      rule_(rule),
      decide_(std::move(decide)),
      columns_(estimates.size()),
      corrections_(Matrix::Zero(n, std::accumulate(estimates.begin(), estimates.end(), 0))) {
  Index first = 0;
  for (std::size_t c = 0; c < estimates.size(); ++c) {
    columns_[c].first = first;
    columns_[c].estimates.resize(static_cast<std::size_t>(estimates[c]));
    first += estimates[c];
  }
}

bool WeightedSums::start(Index column, double residual) {
  Column& c = columns_[column];
  c.history.push_back(residual);
  const bool makes_an_update = test_ == EarlyStopTest::after_update || residual >= early_stop_;
  return makes_an_update || begin(c, 0);
}

bool WeightedSums::update(Index column, int iteration, double step, const ConstVector& direction,
                          double residual) {
  Column& c = columns_[column];
  c.history.push_back(residual);
  if (c.early_stop < 0) return residual >= early_stop_ || begin(c, iteration);
  for (std::size_t e = 0; e < c.estimates.size(); ++e) {
    // CG adds the term once; an estimate takes it `1 / survival` times or not at all.
    const double difference = c.estimates[e].alive ? 1 / c.survival - 1 : -1;
    if (difference != 0) corrections_.col(c.first + e) += difference * step * direction;
    if (c.estimates[e].alive) ++c.estimates[e].terms;
  }
  c.weight = 1 / c.survival;
  c.residuals.push_back(residual);
  return draw(c);
}

bool WeightedSums::begin(Column& column, int iteration) {
  column.early_stop = iteration;
  column.residuals.push_back(column.history.back());
  return draw(column);
}

bool WeightedSums::draw(Column& column) {
  const int term = static_cast<int>(column.residuals.size()) - 1;
  const double probability = rule_.continuation(term, column.residuals);
  column.survival *= probability;
  bool any = false;
  for (std::size_t e = 0; e < column.estimates.size(); ++e) {
    bool& alive = column.estimates[e].alive;
    alive = alive && decide_(&column - columns_.data(), static_cast<Index>(e), term, probability);
    any = any || alive;
  }
  return any;
}

Matrix WeightedSums::estimates(const ConstBlock& x) const {
  Matrix result = corrections_;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const auto count = static_cast<Index>(columns_[c].estimates.size());
    result.middleCols(columns_[c].first, count).colwise() += x.col(static_cast<Index>(c));
  }
  return result;
}

std::vector<ColumnTruncation> WeightedSums::summary() const {
  std::vector<ColumnTruncation> result;
  for (const Column& c : columns_) {
    std::vector<int> terms;
    for (const Estimate& e : c.estimates) terms.push_back(e.terms);
    result.push_back({c.early_stop, std::move(terms), c.weight, rare_share(c)});
  }
  return result;
}

// Goes on with the residuals so far, at the rate of the last ten, until terms are rare draws.
double WeightedSums::rare_share(const Column& column) const {
  if (column.early_stop < 0 || column.history.size() < 2) return 0;
  const std::size_t span = std::min<std::size_t>(10, column.history.size() - 1);
  const double last = column.history.back(),
               earlier = column.history[column.history.size() - 1 - span];
  const double rate = std::min(std::pow(last / earlier, 1.0 / static_cast<double>(span)), 1.0);
  constexpr int kMaxResiduals = 10000;  // the residuals that a rule with slow decay may ask for
  std::vector<double> residuals = column.residuals;
  double survival = 1;
  for (int j = 0; j < kMaxResiduals; ++j) {
    if (j == static_cast<int>(residuals.size())) residuals.push_back(residuals.back() * rate);
    survival *= rule_.continuation(j, std::span(residuals).first(j + 1));
    if (survival < kRareDraw) return std::min(1.0, residuals[j] / residuals[0]);
    if (residuals[j] < kRareDraw * residuals[0]) return 0;  // nothing is left to correct
  }
  return 1;
}

}  // namespace ulisse
