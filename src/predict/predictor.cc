#include "predict/predictor.h"

#include <fmt/format.h>

#include "base/memory.h"
#include "base/option_names.h"
#include "predict/exact_predictor.h"
#include "predict/float_predictor.h"
#include "predict/iterative_predictor.h"
#include "predict/neighbour_predictor.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

// Beyond it a Cholesky factorisation for every draw takes minutes each.
constexpr Index kExactRows = 40000;

// From here on a factorisation takes seconds, and half of them count.
constexpr Index kFloatRows = 4000;

constexpr Index kSomeRows = 16;

}  // namespace

Matrix some_rows(const ConstBlock& x) {
  const Index count = std::min(x.rows(), kSomeRows);
  Matrix some(count, x.cols());
  for (Index i = 0; i < count; ++i) some.row(i) = x.row((2 * i + 1) * x.rows() / (2 * count));
  return some;
}

std::unique_ptr<Predictor> make_predictor(const Model& model, const Matrix& x, const Vector& y,
                                          const PredictorOptions& options) {
  const std::size_t memory = options.memory > 0 ? options.memory : machine_memory_bytes() / 2;
  const auto n = static_cast<double>(x.rows());
  std::string method = options.method;
  if (method == "auto") {
    const bool in_float = x.rows() >= kFloatRows;  // beside it one in double, if it comes to that
    const bool fits = bytes_of(in_float ? 1.5 * n * n : n * n) <= memory && x.rows() <= kExactRows;
    // Measuring what neighbours miss takes solves at some points: for more than these it may pay.
    const bool many = options.points.rows() == kSomeRows;
    method = !fits ? (many ? "neighbours" : "iterative") : in_float ? "float" : "exact";
  }
  if (method == "exact") return std::make_unique<ExactPredictor>(model, x, y);
  if (method == "float") return std::make_unique<FloatPredictor>(model, x, y, options);
  if (method == "iterative") return std::make_unique<IterativePredictor>(model, x, y, options);
  if (method == "neighbours") return std::make_unique<NeighbourPredictor>(model, x, y, options);
  throw InputError(fmt::format("{}: '{}' is none of auto, exact, float, iterative, neighbours",
                               option_named("method"), method));
}

}  // namespace ulisse
