// Solves with a small covariance matrix, and checks the residual.

#include <cmath>
#include <cstdio>

#include "ulisse/ulisse.h"

int main() {
  using namespace ulisse;
  Rng rng = stream(1, 0, Purpose::simulation);
  const Index n = 200;
  const Matrix x = rng.normal_vector(2 * n).reshaped(n, 2);
  const Vector b = rng.normal_vector(n);
  const Vector psi = Vector({{1.0, 0.5, 0.1}}).array().log();  // sigma, tau, lambda

  const auto k = make_covariance(parse_kernel("matern52"), x)->at(psi);
  Vector solution = Vector::Zero(n), product(n);
  const SolveSummary summary = conjugate_gradients(*k, nullptr, b, solution, {.tolerance = 1e-8});
  k->apply(solution, product);
  const double residual = (b - product).norm();
  std::printf("ulisse %s: %s after %d iterations, residual %.1e\n", version(),
              to_string(summary.stop).c_str(), summary.iterations, residual);
  return summary.stop == Stop::converged && residual < 1e-7 ? 0 : 1;
}
