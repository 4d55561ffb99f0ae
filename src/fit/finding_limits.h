#pragma once

// From where on something is wrong with a fit. Steps' own limits are with the sampler:
// kMaxUnbiasedBend in sample/langevin.h, kMaxNoiseShare and kMaxNoiseShareFarOut in the set-up;
// kMinModeShare is in ulisse/second_mode.h. docs/reference/diagnostics.md lists all of them.
namespace ulisse::finding_limits {

// R-hat, and effective draws of each chain: Vehtari et al. 2021. Below half as many effective draws
// R-hat itself and the standard errors cannot be trusted.
inline constexpr double kRhat = 1.01;
inline constexpr double kEffectiveDrawsOfAChain = 100, kFewestEffectiveDrawsOfAChain = 50;

// R-hat from which on chains are in different places, and a few more draws do not help: their means
// are 0.3 posterior standard deviations apart (sqrt(1.05^2 - 1)).
inline constexpr double kRhatFarApart = 1.05;

// Distances in posterior standard deviations. A control variate that far from the mode is as wrong
// there as at the edge of where draws are.
inline constexpr double kFarFromModeInSd = 1;

// Of the posterior of the rows in which modes were looked for. With more rows the lesser of two
// modes holds less and less: a small share of a subset's posterior is nothing.
inline constexpr double kShareInSubset = 0.1;

// Draws there are fewer, or starts elsewhere rarer, than a third of what Laplace's method says.
inline constexpr double kShareOfDrawsExpected = 1.0 / 3;

// How far a factor of two in the power of a prior, or of the likelihood, moves draws: the limit of
// priorsense. Fewer effective draws behind the weights than this say nothing.
inline constexpr double kSensitivity = 0.05, kWeightedDraws = 100;

// By how much of its length, in logarithms, an interval must move for its prior to be spoken of.
inline constexpr double kLeastMove = 0.05;

// Both for prior and data to be at odds. At 0.05 that was said of 47 % of the tables of
// script/judge-priors under the default priors, which are at odds with nothing, and of 80 % under
// wrong ones; at 0.12 of 3 % and of 71 % (docs/evidence/results/priors.md).
inline constexpr double kConflict = 0.12;

// Solves an iteration whose variance rests on draws too rare to be seen.
inline constexpr double kRareSolvesAnIteration = 0.01;

// Of all steps of `ulisse`, those that began where the posterior is steeper than a Gaussian's.
inline constexpr double kShareOfSteepSteps = 0.01;

// Bias in posterior standard deviations (of a mean), or as a share (of a standard deviation). 0.1
// is what 100 independent draws leave as a standard error.
inline constexpr double kMostBiasInSd = 0.1;

// A few steps that diverged make both the bias of the spread and its error large, so that from here
// on the bias is said whatever its error.
inline constexpr double kExtremeSpreadBias = 0.5;

// Below that many of its own standard errors a bias may be chance.
inline constexpr double kStandardErrorsOfChance = 3;

// What is tried in place of a smaller value of one's own; the default is found out and is larger.
inline constexpr double kShortEarlyStop = 0.05;

}  // namespace ulisse::finding_limits
