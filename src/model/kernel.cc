#include "ulisse/kernel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "base/nearest_name.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

constexpr std::array<std::pair<Shape, const char*>, 4> kShapes = {{{Shape::rbf, "rbf"},
                                                                   {Shape::matern12, "matern12"},
                                                                   {Shape::matern32, "matern32"},
                                                                   {Shape::matern52, "matern52"}}};
const std::string kArdSuffix = "-ard";

}  // namespace

std::vector<Parameter> Kernel::parameters(Index d) const {
  std::vector<Parameter> all = {{.name = "sigma", .role = Role::signal_variance}};
  if (!ard) {
    Indices inputs(static_cast<std::size_t>(d));
    std::iota(inputs.begin(), inputs.end(), Index(0));
    all.push_back(
        {.name = "tau", .role = Role::inverse_squared_length, .inputs = inputs, .shape = shape});
  }
  for (Index k = 0; ard && k < d; ++k) {
    all.push_back({.name = fmt::format("tau.{}", k + 1),
                   .role = Role::inverse_squared_length,
                   .inputs = {k},
                   .per_input = true,
                   .shape = shape});
  }
  return all;
}

Kernel parse_kernel(const std::string& name) {
  std::vector<std::string> known;
  for (const auto& [shape, shape_name] : kShapes) {
    if (name == shape_name) return {shape, false};
    if (name == shape_name + kArdSuffix) return {shape, true};
    known.insert(known.end(), {shape_name, shape_name + kArdSuffix});
  }
  throw InputError(fmt::format("there is no kernel '{}'{}; the kernels are {}", name,
                               did_you_mean(name, known), fmt::join(known, ", ")));
}

std::string name_of(const Kernel& kernel) {
  for (const auto& [shape, shape_name] : kShapes) {
    if (kernel.shape == shape) return shape_name + (kernel.ard ? kArdSuffix : "");
  }
  throw std::logic_error("a shape without a name");
}

KernelParameters unpack(const Kernel& kernel, const ConstVector& psi, Index d) {
  if (psi.size() != kernel.parameter_count(d)) {
    throw std::invalid_argument(
        fmt::format("psi has {} elements, the kernel {} in {} dimensions has {}", psi.size(),
                    name_of(kernel), d, kernel.parameter_count(d)));
  }
  const Vector theta = psi.array().exp();
  Vector tau = kernel.ard ? Vector(theta.segment(1, d)) : Vector::Constant(d, theta(1));
  return {theta(0), std::move(tau)};
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
