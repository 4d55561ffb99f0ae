// Fits a table, prints the summary, predicts, and saves the fit: what docs/guide/library.md shows.

#include <cstdio>
#include <string>

#include "ulisse/ulisse.h"

namespace {

// The residual of a solve, for what a program does with the parts.
double residual_of_a_solve(const ulisse::Dataset& data) {
  using namespace ulisse;
  const Vector psi = Vector({{1.0, 0.5, 0.1}}).array().log();  // sigma, tau, lambda
  const auto k = make_covariance(parse_kernel("matern52"), data.x)->at(psi);
  Vector solution = Vector::Zero(data.y.size()), product(data.y.size());
  conjugate_gradients(*k, nullptr, data.y, solution, {.tolerance = 1e-8});
  k->apply(solution, product);
  return (data.y - product).norm();
}

}  // namespace

int main(int argc, char** argv) {
  using namespace ulisse;
  if (argc != 3) return 2;
  const Dataset data = read_csv(argv[1], {.target = "y"});
  const Model model = make_model("matern52", data, {"lambda=lognormal(-2,1)"});
  const Fit made = fit(data, model, {.sampler = "mh", .settings = {{"draws", 40L}, {"seed", 5L}}});
  std::printf("ulisse %s\n%s", version(), summary_text(made).c_str());
  const Predictions found = predict(made, data.x.topRows(3), {.quantiles = {0.05, 0.95}});
  for (Index i = 0; i < 3; ++i) {
    std::printf("%g (%g to %g)\n", found.mean(i), found.quantiles(i, 0), found.quantiles(i, 1));
  }
  save_fit(made, argv[2]);
  return residual_of_a_solve(data) < 1e-7 ? 0 : 1;
}
