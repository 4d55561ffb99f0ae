#include "ulisse/rank_choice.h"

#include <fmt/format.h>

#include <limits>

#include "base/watch.h"

namespace ulisse {

namespace {

constexpr Index kGradientColumns = 5;     // of a gradient: y and four probes
constexpr double kGradientsOfARun = 500;  // over which the preconditioner is used
constexpr Index kMinRank = 16;

double build_cost(Index n, Index rank) {
  return 3.0 * static_cast<double>(n) * static_cast<double>(rank) * static_cast<double>(rank);
}

}  // namespace

double iteration_cost(Index n, Index dimensions, Index columns, Index rank) {
  const auto rows = static_cast<double>(n), m = static_cast<double>(columns);
  const double product = rows * rows / 2 * (2 * (static_cast<double>(dimensions) + 2) + 34 + 4 * m);
  // The preconditioner's time is that of reading its columns, twice, not of its arithmetic.
  constexpr double kFlopsOfARead = 160;
  return product + rows * static_cast<double>(rank) * (kFlopsOfARead + 4 * m);
}

RankChoice choose_rank(const CovarianceOperator& k, Index dimensions, const ConstVector& y,
                       Index most, std::uint64_t seed) {
  const Index n = k.size();
  const PreconditionersByRank by_rank = preconditioners(k, {.rank = most, .seed = seed});
  RankChoice best;
  double least = std::numeric_limits<double>::infinity();
  WatchStep step;
  for (Index rank = by_rank.most;; rank /= 2) {
    step.say([&] { return fmt::format("trying rank {}", rank); });
    std::shared_ptr<const Preconditioner> p = by_rank.of_rank(rank);
    Matrix x = Matrix::Zero(n, 1);
    const SolveSummary solve =
        conjugate_gradients(k, p.get(), y, x, {.tolerance = 0.1 * y.norm(), .verify = false});
    const double cost = solve.iterations * iteration_cost(n, dimensions, kGradientColumns, rank) +
                        build_cost(n, rank) / kGradientsOfARun;
    if (cost >= least) break;
    least = cost;
    best = {std::move(p), solve.iterations};
    if (rank / 2 < kMinRank) break;
  }
  return best;
}

}  // namespace ulisse
