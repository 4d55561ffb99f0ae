#pragma once

#include "ulisse/certificate.h"

namespace ulisse {

// Places at which a round takes gradients, announced before these are known.
struct RoundSize {
  Index draws = 0;
  Index farther = 0;  // places farther out, where tails are looked at
  Index places() const { return draws + farther; }
};

// Of a round that only learns.
RoundSize learning_round(Index parameters);

// A place at which gradients are taken; those farther out are learnt from alone.
struct Place {
  Vector v;
  bool is_draw;
};

// Some of the draws, evenly, and some moved away from their mean.
std::vector<Place> choose_places(const Matrix& draws, const Vector& mean, const RoundSize& size);

constexpr double kFarther = 1.4;  // times as far from the mean

// What is known of a surrogate before gradients are taken at its draws.
struct ExpectedErrors {
  double squared_error = INFINITY;                      // at draws, on average; see squared_error()
  double farther_out = INFINITY;                        // the same at places farther out
  double curvature = NAN, least_sd = NAN, stretch = 1;  // see Judged
};

// The least number of draws with which a limit at `level` is expected to be under half of `goal`: a
// fourth of D, as a margin for errors that are known from a few gradients. None where `most`
// would not do.
RoundSize attempt_size(const ExpectedErrors& expected, double goal, double level, Index most);

// The skewness that a limit from so few draws allows for. With this much of it limits from 8 draws
// hold as often as those from 32 do, for squares and for fourth powers of normal numbers.
double skewness_allowed(Index draws);

// The most that are taken: where errors do not get less, so many draws may do all the same.
RoundSize largest_attempt();

// The squared error of a gradient at the columns of `at`, on average, as the Gaussian process that
// learns from `known` has it; infinite where it would take long to compute.
double expected_squared_error(const SurrogateKernel& kernel, const Whitening& whitening,
                              const Lessons& known, const Matrix& at);

}  // namespace ulisse
