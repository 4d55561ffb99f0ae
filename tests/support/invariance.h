#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "support/statistics.h"
#include "ulisse/random.h"

namespace ulisse::testing {

// A step of a chain turns an exact draw of its target into another exact draw. Independent
// replicates, so that the errors are known: no effective sample sizes, no convergence. The average
// of a statistic over draws before a step is its control variate: what the step changed is compared
// with 0, which is far sharper than comparing with the truth.
//
// 20,000 replicates of two steps each; each comparison raises a false alarm once in a million.
template <class Target, class Step>
void expect_invariant(const Target& target, const Step& step) {
  constexpr int kReplicates = 20'000;
  const Vector& mean = target.mean();
  const Vector scale = target.covariance().diagonal().cwiseSqrt();
  const auto statistics = [&](const Vector& psi) {
    const Vector x = (psi - mean).cwiseQuotient(scale);
    const Matrix products = x * x.transpose();
    const Vector radius{{std::log1p(x.squaredNorm()), x.norm() < 1 ? 1.0 : 0.0}};
    return (Vector(3 * x.size() + products.size() + 2) << x, x.array().cube(), x.array().sin(),
            products.reshaped(), radius)
        .finished();
  };
  Matrix change;
  for (int i = 0; i < kReplicates; ++i) {
    Rng rng = stream(77, 0, Purpose::simulation, static_cast<std::uint64_t>(i));
    const Vector before = target.draw(rng), after = step(step(before, rng), rng);
    const Vector difference = statistics(after) - statistics(before);
    if (i == 0) change.resize(kReplicates, difference.size());
    change.row(i) = difference.transpose();
  }
  for (Index j = 0; j < change.cols(); ++j) {
    const Vector column = change.col(j);
    const double sd = std::sqrt((column.array() - column.mean()).square().mean());
    EXPECT_LT(std::abs(z_score(column, 0, sd)), kOneInAMillion) << "statistic " << j;
  }
}

}  // namespace ulisse::testing
