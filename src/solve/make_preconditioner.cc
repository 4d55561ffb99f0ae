// Which preconditioner fits and predictions take.

#include "ulisse/preconditioner.h"

namespace ulisse {

Vector Preconditioner::half_trace(const CovarianceOperator& /*k*/,
                                  const std::function<void(Index)>& /*watch*/) const {
  return {};
}

PreconditionersByRank preconditioners(const CovarianceOperator& k,
                                      const PivotedCholeskyOptions& options) {
  auto l = std::make_shared<const Matrix>(pivoted_cholesky(k, options));
  return {.most = l->cols(), .of_rank = [l, noise = k.noise()](Index rank) {
            return std::make_shared<LowRankPreconditioner>(l->leftCols(rank), noise);
          }};
}

std::shared_ptr<const Preconditioner> make_preconditioner(const CovarianceOperator& k,
                                                          const PivotedCholeskyOptions& options) {
  return std::make_shared<LowRankPreconditioner>(pivoted_cholesky(k, options), k.noise());
}

}  // namespace ulisse
