#pragma once

#include <gtest/gtest.h>

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <string>

#include "sample/transition.h"
#include "ulisse/random.h"

namespace ulisse::testing {

// The transition of one iteration, from the stream that belongs to it.
template <Sampler S>
Transition advance(S& sampler, std::uint64_t seed, int iteration) {
  Rng rng = stream(seed, 0, Purpose::transition, static_cast<std::uint64_t>(iteration));
  return sampler.step(rng);
}

// Positions (draws, d) after warm-up, each `thin` iterations after the one before.
template <Sampler S>
Matrix draws_of(S& sampler, int draws, std::uint64_t seed, int thin = 1) {
  int iteration = 0;
  while (sampler.warming_up()) advance(sampler, seed, iteration++);
  Matrix result;
  for (int i = 0; i < draws; ++i) {
    for (int j = 1; j < thin; ++j) advance(sampler, seed, iteration++);
    const Transition transition = advance(sampler, seed, iteration++);
    if (i == 0) result.resize(draws, transition.psi.size());
    result.row(i) = transition.psi.transpose();
  }
  return result;
}

// Means of batches much longer than the chain's memory are nearly independent and normal, and their
// spread gives the error of the mean without a model of the chain.
constexpr Index kBatches = 50;

inline Vector batch_means(const Vector& v) {
  const Index length = v.size() / kBatches;
  return v.tail(length * kBatches).reshaped(length, kBatches).colwise().mean().transpose();
}

inline double batch_standard_error(const Vector& v) {
  const Vector means = batch_means(v);
  const double squares = (means.array() - means.mean()).square().sum();
  return std::sqrt(squares / static_cast<double>(kBatches * (kBatches - 1)));
}

// As many independent draws would give the mean's error.
inline double effective_draws(const Vector& v) {
  const double variance = (v.array() - v.mean()).square().mean();
  return variance / std::pow(batch_standard_error(v), 2);
}

// The mean of a chain against what it should be: a false alarm once in a million, by Student's t of
// the batches. `error` is the standard error of `expected` itself.
inline void expect_mean(const Vector& v, double expected, const std::string& what,
                        double error = 0) {
  static const double limit =
      boost::math::quantile(boost::math::complement(boost::math::students_t(kBatches - 1), 0.5e-6));
  const double total = std::hypot(batch_standard_error(v), error);
  EXPECT_LT(std::abs(v.mean() - expected), limit * total)
      << what << ": " << v.mean() << " for " << expected << ", standard error " << total;
}

// First and second moments about the mean that is known.
inline void expect_moments(const Matrix& draws, const Vector& mean, const Matrix& covariance) {
  for (Index i = 0; i < draws.cols(); ++i) {
    const Vector x = draws.col(i).array() - mean(i);
    expect_mean(draws.col(i), mean(i), "mean of " + std::to_string(i));
    for (Index j = 0; j <= i; ++j) {
      const Vector product = x.array() * (draws.col(j).array() - mean(j));
      expect_mean(product, covariance(i, j),
                  "covariance of " + std::to_string(i) + " and " + std::to_string(j));
    }
  }
}

}  // namespace ulisse::testing
