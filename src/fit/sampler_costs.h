#pragma once

namespace ulisse {

// What samplers are made of, on one table; seconds.
struct SamplerCosts {
  double likelihood = 0, gradient = 0;  // of an exact one, chains side by side
  double product = 0;                   // of the covariance with the columns of a gradient
};

// Models with more parameters than this are sampled by gradients.
constexpr int kFewParameters = 4;

}  // namespace ulisse
