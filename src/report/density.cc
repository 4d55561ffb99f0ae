#include "report/density.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ulisse/diagnose.h"

namespace ulisse {

namespace {

double bandwidth(const ConstVector& draws) {
  const double sd = diagnose::sd(draws);
  const Vector quartiles = diagnose::quantiles(draws, {0.25, 0.75});
  const double spread = (quartiles(1) - quartiles(0)) / 1.34;
  const double scale = spread > 0 ? std::min(sd, spread) : sd;
  return 0.9 * scale * std::pow(static_cast<double>(draws.size()), -0.2);
}

}  // namespace

Vector density_grid(const ConstVector& draws, Index points) {
  const double margin = 3 * bandwidth(draws);
  const double beyond = margin > 0 ? margin : 1;
  return Vector::LinSpaced(points, draws.minCoeff() - beyond, draws.maxCoeff() + beyond);
}

Vector kernel_density(const ConstVector& draws, const ConstVector& grid) {
  const double width = bandwidth(draws);
  Vector density = Vector::Zero(grid.size());
  if (!(width > 0)) return density;
  for (Index g = 0; g < grid.size(); ++g) {
    density(g) = (-0.5 * ((draws.array() - grid(g)) / width).square()).exp().sum();
  }
  return density / (width * std::sqrt(2 * std::numbers::pi) * static_cast<double>(draws.size()));
}

}  // namespace ulisse
