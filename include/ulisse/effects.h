#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ulisse/fit.h"

// What the function of a fit does: along each input, how much of its variance each input explains,
// and which inputs act together.
namespace ulisse {

struct EffectOptions {
  Index draws = 40;        // of the posterior, spread over all chains
  Index points = 41;       // along an input
  Index rows = 200;        // of the table, over which others are averaged
  Index base = 1000;       // of pairs of points for shares of variance
  double level = 0.9;      // of intervals
  std::size_t memory = 0;  // bytes that may be used; 0: half of the machine's
  std::uint64_t seed = 1;  // of the points for shares of variance
  std::function<void(Index draw)> progress = {};  // may throw to end it
};

// Median and interval over draws of the posterior.
struct Spread {
  double median, lower, upper;
};

// On the target's own scale, along an input in the table's own units; an element for each point.
struct Effect {
  std::string input;
  Vector at;  // of a category: the places of its levels
  // The function with the other inputs at their medians or most frequent levels, with the interval
  // of its predictive distribution.
  Vector mean, lower, upper;
  // Averaged over rows of the table, with the interval of that over draws.
  Vector averaged, averaged_lower, averaged_upper;
  // Sobol's indices, for inputs that are independent, each distributed as in the table: the share
  // of the function's variance that the input explains alone, and with all others.
  Spread first_order, total;
};

// The share of the variance that two inputs explain together beyond what each does alone.
struct Interaction {
  Index first, second;  // of Effects::inputs
  Spread share;
};

struct Effects {
  std::vector<Effect> inputs;
  std::vector<Interaction> pairs;  // the largest first; none from one input
  Index draws = 0;
};

// Throws InputError.
Effects effects(const Fit& fit, const EffectOptions& options = {});

}  // namespace ulisse
