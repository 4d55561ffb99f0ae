#pragma once

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "data_options.h"
#include "ulisse/types.h"

// What `ulisse bench products` measures: products, gradients and set-ups of backends, beside dgemm
// and the plain Eigen expression.
namespace ulisse::cli {

struct ProductsOptions {
  DataOptions data;                            // a table in place of simulated points
  std::vector<std::string> kernels = {"rbf"};  // others are compared with the first
  std::string theta;
  double tolerance = 1e-10;
  Index n = 22784, d = 8, rhs = 8;
  int threads = 0, repeats = 10;
  unsigned seed = 1;
  std::string backends;
  std::size_t memory = 0;
  bool json = false, quiet = false;
};

// The best of several rounds: time on the wall, and of all processors.
struct BestTime {
  double seconds = INFINITY, processor = INFINITY;
};

struct ProductsTiming {
  BestTime product, gradient, build, prepare;
  // The largest difference from the exact backend, as a share of the largest value.
  std::optional<double> error;
};

struct ProductsResults {
  double dgemm = 0, sgemm = 0;
  std::optional<double> eigen;
  std::vector<std::map<std::string, ProductsTiming>> backends;  // of each kernel
};

// Sets the n and d of options where a table is read. Best of several rounds.
ProductsResults benchmark_products(ProductsOptions& options);

// The Eigen expression takes n^2, too, and minutes where values are subnormal: on more points than
// these it is timed on some of them.
Index eigen_rows(const ProductsOptions& options);

}  // namespace ulisse::cli
