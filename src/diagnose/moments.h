#pragma once

#include "ulisse/types.h"

namespace ulisse::diagnose {

// Variances are with n - 1, and NaN of a single value.
double variance(const ConstVector& values);
double covariance(const ConstVector& a, const ConstVector& b);

// Of each chain. The mean of a constant chain is its value, bit for bit, and its variance is 0.
struct ChainMoments {
  Vector means, variances;
};
ChainMoments chain_moments(const ConstBlock& draws);

}  // namespace ulisse::diagnose
