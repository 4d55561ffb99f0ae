#include "eigen_expression.h"

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <Eigen/Core>
#include <algorithm>

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Map = Eigen::Map<const MatrixXd>;

bool supported() {
#ifdef __AVX2__
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
#else
  return true;
#endif
}

}  // namespace

bool ulisse_eigen_expression(std::ptrdiff_t n, std::ptrdiff_t d, std::ptrdiff_t m, const double* x,
                             double tau, const double* v, double* y, int threads) {
  if (!supported()) return false;
  constexpr std::ptrdiff_t block = 32;  // 32 x n doubles: best of 16 to 256 at n = 22,784
  const Map points(x, n, d), right(v, n, m);
  Eigen::Map<MatrixXd> result(y, n, m);
  const VectorXd norms = points.rowwise().squaredNorm();
  tbb::task_arena arena(threads);
  arena.execute([&] {
    tbb::parallel_for(std::ptrdiff_t(0), (n + block - 1) / block, [&](std::ptrdiff_t b) {
      const std::ptrdiff_t start = b * block, rows = std::min(block, n - start);
      MatrixXd k = -2 * points.middleRows(start, rows) * points.transpose();
      k.colwise() += norms.segment(start, rows);
      k.rowwise() += norms.transpose();
      k = (-tau * k.array()).exp();
      result.middleRows(start, rows).noalias() = k * right;
    });
  });
  return true;
}
