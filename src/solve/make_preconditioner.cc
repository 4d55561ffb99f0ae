// Which preconditioner fits and predictions take.

#include "solve/local_preconditioner.h"
#include "ulisse/preconditioner.h"

namespace ulisse {

namespace {

// Neighbours nearest first: the first of many are those of few.
std::shared_ptr<const NearestEarlier> nearest(const CovarianceOperator& k,
                                              const PreconditionerOptions& options) {
  const Index count = std::min(options.neighbours, k.size() - 1);
  if (count < 1) return nullptr;
  return std::make_shared<const NearestEarlier>(
      nearest_earlier(k.scaled_points(), count, options.seed));
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
      .with = [&k, l, near](Index rank, Index neighbours) -> std::shared_ptr<const Preconditioner> {
        const auto part = l->leftCols(rank);
        if (neighbours == 0) return std::make_shared<LowRankPreconditioner>(part, k.noise());
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
