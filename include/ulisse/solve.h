#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ulisse/covariance.h"
#include "ulisse/types.h"

namespace ulisse {

enum class Stop {
  converged,        // the residual is below the tolerance
  truncated,        // an observer ended the solve
  iteration_limit,  //
  stagnation,       // the true residual stopped falling: the limit of the arithmetic
  breakdown         // the operator or the preconditioner is not positive definite in floating point
};
std::string to_string(Stop stop);

struct ColumnSummary {
  Stop stop = Stop::converged;
  int iterations = 0;
  double residual = 0;  // norm; the true one where the solve checked it, else the recurrence's
};

struct SolveSummary {
  Stop stop = Stop::converged;  // the worst of the columns', in the order of the enum
  int iterations = 0;           // of the slowest column
  long products = 0;            // of the operator with a block of columns
  long exact_products = 0;      // of CgOptions::exact with a block, where it is set
  double residual = 0;          // the largest
  std::string message;          // in words, when stop is stagnation or breakdown
  std::vector<ColumnSummary> columns;

  // Columns that neither converged nor were cut.
  long unfinished() const;
};

// Sees the solution of each column grow: x += step * direction. Solves do not read anything back
// from it, except that a column for which it returns false leaves the block (Stop::truncated).
class CgObserver {
 public:
  virtual ~CgObserver() = default;
  // Before the first product; residual is the norm of b - A x at the start.
  virtual bool start(Index /*column*/, double /*residual*/) { return true; }
  // iteration counts from 1; residual is the recurrence's norm after the update.
  virtual bool update(Index column, int iteration, double step, const ConstVector& direction,
                      double residual) = 0;
};

struct CgOptions {
  double tolerance = 1e-8;        // a column converges when |b - A x| < tolerance + relative * |b|
  double relative_tolerance = 0;  //
  int max_iterations = 0;  // 0: ten times the size, for CG in floating point may need more than n

  // The recurrence for the residual drifts from b - A x. The true one is computed every so many
  // iterations (at each it would double the products), and when the residual has fallen by
  // check_drop since the last time (for operators of low precision); it replaces the recurrence
  // where that has drifted by a tenth. 0: never.
  int check_every = 50;
  double check_drop = 0;

  // A column that seems to have converged is checked, at the cost of a product: if the true
  // residual is above the tolerance the column goes on from there.
  bool verify = true;

  // Computes true residuals when `a` is a cheap version of this operator.
  const LinearOperator* exact = nullptr;

  CgObserver* observer = nullptr;
};

// Solves A X = B by preconditioned conjugate gradients. All columns share each product, and each
// stops by its own residual and leaves the block. x holds the starting points and is overwritten
// with the solutions; start from zeros for none. `preconditioner` applies an approximate inverse;
// null for none. Numerical failure is reported in the summary; x then holds where the solve ended,
// which after stagnation need not be the best it has been.
SolveSummary conjugate_gradients(const LinearOperator& a, const LinearOperator* preconditioner,
                                 const ConstBlock& b, Block x, const CgOptions& options = {});

}  // namespace ulisse
