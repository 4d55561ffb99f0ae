#include "ulisse/shape.h"

#include <array>
#include <cmath>
#include <stdexcept>

#include "model/shape_names.h"

namespace ulisse {

namespace {

constexpr std::array<std::pair<Shape, const char*>, 4> kShapes = {{{Shape::rbf, "rbf"},
                                                                   {Shape::matern12, "matern12"},
                                                                   {Shape::matern32, "matern32"},
                                                                   {Shape::matern52, "matern52"}}};

}  // namespace

std::string name_of(Shape shape, bool ard) {
  for (const auto& [known, name] : kShapes) {
    if (known == shape) return std::string(name) + (ard ? "-ard" : "");
  }
  throw std::logic_error("a shape without a name");
}

std::optional<std::pair<Shape, bool>> shape_named(const std::string& name) {
  for (const auto& [shape, unused] : kShapes) {
    for (const bool ard : {false, true}) {
      if (name == name_of(shape, ard)) return std::pair{shape, ard};
    }
  }
  return std::nullopt;
}

std::vector<std::string> shape_names() {
  std::vector<std::string> names;
  for (const auto& [shape, unused] : kShapes) {
    names.insert(names.end(), {name_of(shape, false), name_of(shape, true)});
  }
  return names;
}

ValueAndSlope evaluate(Shape shape, double s) {
  switch (shape) {
    case Shape::rbf:
      return {std::exp(-s), -std::exp(-s)};
    case Shape::matern12: {
      const double a = std::sqrt(s), e = std::exp(-a);
      return {e, a > 0 ? -e / (2 * a) : 0};
    }
    case Shape::matern32: {
      const double a = std::sqrt(3 * s), e = std::exp(-a);
      return {e > 0 ? (1 + a) * e : 0, -1.5 * e};
    }
    case Shape::matern52: {
      const double a = std::sqrt(5 * s), e = std::exp(-a);
      return {e > 0 ? (1 + a + a * a / 3) * e : 0, e > 0 ? -5.0 / 6 * (1 + a) * e : 0};
    }
  }
  throw std::logic_error("a shape without a formula");
}

// rbf has exp(-s), s = r^2 / (2 l^2); the others s = r^2 / l^2.
double length_scale(Shape shape, double tau, double unit) {
  const double squared = shape == Shape::rbf ? 2 * tau : tau;
  return unit / std::sqrt(squared);
}

}  // namespace ulisse
