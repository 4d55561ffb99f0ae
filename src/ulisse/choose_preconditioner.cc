#include "ulisse/choose_preconditioner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/watch.h"

namespace ulisse {

namespace {

constexpr Index kGradientColumns = 5;     // of a gradient: y and four probes
constexpr double kGradientsOfARun = 500;  // over which the preconditioner is used
constexpr Index kMinRank = 16;
constexpr double kResidual = 0.01;  // of y

double build_cost(Index n, Index rank) {
  return 3.0 * static_cast<double>(n) * static_cast<double>(rank) * static_cast<double>(rank);
}

// Iterations to kResidual, as those that were made would go on.
double whole_iterations(const SolveSummary& solve, double size) {
  const double digits = std::log(solve.residual / size) / std::log(kResidual);
  return digits > 0 ? solve.iterations / digits : std::numeric_limits<double>::infinity();
}

class Trials {
 public:
  Trials(const CovarianceOperator& k, Index dimensions, const ConstVector& y,
         const PreconditionerOptions& most)
      : k_(k), dimensions_(dimensions), y_(y), choices_(preconditioners(k, most)) {}

  PreconditionerChoice best() {
    if (choices_.most.neighbours > 0) halve_rank(true);
    halve_rank(false);
    return std::move(best_);
  }

 private:
  // Until it costs more than twice as much of a rank did.
  void halve_rank(bool neighbours) {
    double before = std::numeric_limits<double>::infinity();
    for (Index rank = choices_.most.rank;; rank /= 2) {
      const double cost = try_out(rank, neighbours);
      if (!(cost < before) || rank / 2 < kMinRank) break;
      before = cost;
    }
  }

  // No more iterations than make it the best.
  double try_out(Index rank, bool with_neighbours) {
    const Index neighbours = with_neighbours ? choices_.most.neighbours : 0;
    step_.say([&] {
      return neighbours > 0 ? fmt::format("trying rank {} with {} neighbours", rank, neighbours)
                            : fmt::format("trying rank {}", rank);
    });
    auto p = choices_.with(rank, with_neighbours);
    const Index n = k_.size();
    const double each = iteration_cost(n, dimensions_, kGradientColumns, rank, neighbours);
    const double built = build_cost(n, rank) / kGradientsOfARun;
    const double limit = std::clamp((least_ - built) / each, 0.0, 1e6);
    const double size = y_.norm();
    Matrix x = Matrix::Zero(n, 1);
    const SolveSummary solve = conjugate_gradients(k_, p.get(), y_, x,
                                                   {.tolerance = kResidual * size,
                                                    .max_iterations = 1 + static_cast<int>(limit),
                                                    .verify = false});
    const double cost = whole_iterations(solve, size) * each + built;
    const bool better = solve.stop == Stop::converged && cost < least_;
    if (better || !best_.preconditioner) best_ = {std::move(p), solve.iterations};
    if (better) least_ = cost;
    return cost;
  }

  const CovarianceOperator& k_;
  Index dimensions_;
  const ConstVector& y_;
  PreconditionerChoices choices_;
  WatchStep step_;
  double least_ = std::numeric_limits<double>::infinity();
  PreconditionerChoice best_;
};

}  // namespace

double iteration_cost(Index n, Index dimensions, Index columns, Index rank, Index neighbours) {
  const auto rows = static_cast<double>(n), m = static_cast<double>(columns);
  const double product = rows * rows / 2 * (2 * (static_cast<double>(dimensions) + 2) + 34 + 4 * m);
  // The preconditioner's time is that of reading its columns, twice, not of its arithmetic.
  constexpr double kFlopsOfARead = 160;
  // Neighbours stand anywhere in memory.
  constexpr double kFlopsOfANeighbour = 400;
  return product + rows * static_cast<double>(rank) * (kFlopsOfARead + 4 * m) +
         rows * static_cast<double>(neighbours) * (kFlopsOfANeighbour + 4 * m);
}

PreconditionerChoice choose_preconditioner(const CovarianceOperator& k, Index dimensions,
                                           const ConstVector& y,
                                           const PreconditionerOptions& most) {
  return Trials(k, dimensions, y, most).best();
}

}  // namespace ulisse
