// Which preconditioner fits and predictions take.

#include <algorithm>

#include "solve/local_preconditioner.h"
#include "ulisse/preconditioner.h"

namespace ulisse {

namespace {

// None with many inputs: each search would look at all rows, and what is left of K is not local.
std::shared_ptr<const NearestEarlier> nearest(const CovarianceOperator& k,
                                              const PreconditionerOptions& options) {
  constexpr Index kMostCoordinates = 8;
  const Index count = std::min({options.neighbours, k.size() - 1, most_neighbours(k.size())});
  if (count < 1) return nullptr;
  const Matrix points = k.scaled_points();
  if (points.cols() > kMostCoordinates || !points.allFinite()) return nullptr;
  return std::make_shared<const NearestEarlier>(nearest_earlier(points, count, options.seed));
}

}  // namespace

Vector Preconditioner::half_trace(const CovarianceOperator& /*k*/,
                                  const std::function<void(Index)>& /*watch*/) const {
  return {};
}

PreconditionerChoices preconditioners(const CovarianceOperator& k,
                                      const PreconditionerOptions& most) {
  auto l =
      std::make_shared<const Matrix>(pivoted_cholesky(k, {.rank = most.rank, .seed = most.seed}));
  const auto near = nearest(k, most);
  PreconditionerOptions found = most;
  found.rank = l->cols();
  found.neighbours = near ? near->most : 0;
  return {
      .most = found,
      .with = [&k, l, near](Index rank, bool neighbours) -> std::shared_ptr<const Preconditioner> {
        const auto part = l->leftCols(rank);
        if (!neighbours || !near) return std::make_shared<LowRankPreconditioner>(part, k.noise());
        return std::make_shared<LocalPreconditioner>(k, part, near);
      }};
}

std::shared_ptr<const Preconditioner> make_preconditioner(const CovarianceOperator& k,
                                                          const PreconditionerOptions& options) {
  const auto near = nearest(k, options);
  Matrix l = pivoted_cholesky(k, {.rank = options.rank, .seed = options.seed});
  if (!near) return std::make_shared<LowRankPreconditioner>(std::move(l), k.noise());
  return std::make_shared<LocalPreconditioner>(k, std::move(l), near);
}

}  // namespace ulisse
