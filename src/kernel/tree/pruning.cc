#include "kernel/tree/pruning.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernel/simd/tiles.h"

namespace ulisse {

namespace {

// Bounds are computed in floating point, and must hold for distances that are, too.
constexpr double kRounding = 1e-12;

// s |f'(s)| rises to a single peak and falls from there: at s = 1 for rbf (s e^-s), and with
// a = sqrt(2 nu s) at a = 1 for matern12 (a e^-a / 2), at a = 2 for matern32 (a^2 e^-a / 2), and at
// the root of 2 + 2a - a^2 for matern52 (a^2 (1 + a) e^-a / 6). Returned as s.
double peak_of_derivative(Shape shape) {
  switch (shape) {
    case Shape::rbf:
    case Shape::matern12:
      return 1;
    case Shape::matern32:
      return 4.0 / 3;
    case Shape::matern52:
      return std::pow(1 + std::sqrt(3.0), 2) / 5;
  }
  return 1;
}

}  // namespace

Pruning::Pruning(Shape shape, double tolerance)
    : shape_(shape), tolerance_(tolerance), scale_(simd::coordinate_scale(shape)) {
  // Both fall beyond the peak: where they are small enough is found by bisection.
  double low = 0, high = 1;
  while (std::max(shape_at(high), largest_derivative_beyond(high)) > tolerance_) high *= 2;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    const bool small = std::max(shape_at(middle), largest_derivative_beyond(middle)) <= tolerance_;
    (small ? high : low) = middle;
  }
  negligible_beyond_ = high * (1 + kRounding);
}

double Pruning::shape_at(double squared) const {
  return evaluate(shape_, squared / (scale_ * scale_)).value;
}

// Of s f'(s), the derivative with respect to log tau; with one tau for each input it is a part of
// it.
double Pruning::largest_derivative_beyond(double squared) const {
  const double s = std::max(squared / (scale_ * scale_), peak_of_derivative(shape_));
  return s * std::abs(evaluate(shape_, s).slope);
}

bool Pruning::alike(const SquaredRange& range, double& value) const {
  const double largest = shape_at(range.least * (1 - kRounding));
  const double least = shape_at(range.largest * (1 + kRounding));
  value = (largest + least) / 2;
  return (largest - least) / 2 <= tolerance_ * (1 + least);
}

}  // namespace ulisse
