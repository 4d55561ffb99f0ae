#pragma once

#include "fit/sampler_record.h"
#include "sample/noise_history.h"
#include "sample/solve_record.h"

namespace ulisse {

// What fit.json says of the solves of a chain.
inline void describe_solves(const SolveRecord& record, ChainRecord& chain) {
  chain.products = record.mean_products();
  chain.terms = record.mean(record.terms);
  chain.untrustworthy = record.mean(static_cast<double>(record.untrustworthy));
  chain.unfinished_solves = record.unfinished;
}

// And of the steps and the gradients' noise along it.
inline void describe_history(const NoiseHistory& history, ChainRecord& chain) {
  chain.history = {
      .iterations = history.iterations, .steps = history.steps, .noise_ratios = history.ratios};
}

}  // namespace ulisse
