#include <cmath>
#include <numbers>

#include "ulisse/kernel.h"

namespace ulisse {

namespace {

double squared_difference(const KernelInput& input, double a, double b) {
  switch (input.kind) {
    case KernelInput::Kind::number:
      return (a - b) * (a - b);
    case KernelInput::Kind::circle:
      return 4 * std::pow(std::sin(std::numbers::pi * (a - b) / input.period), 2);
    case KernelInput::Kind::category:
      return a == b ? 0 : 1;
  }
  return 0;
}

// A factor between two points: the shape, and s_k = tau_k times the squared difference of each
// input, of which s is the sum.
struct FactorValue {
  ValueAndSlope shape;
  Vector s;
};

FactorValue value_of(const Factor& factor, const Vector& tau, const RowVector& a,
                     const RowVector& b) {
  const auto inputs = inputs_of(factor, a.size());
  Vector s(tau.size());
  for (Index k = 0; k < s.size(); ++k) {
    const KernelInput& input = inputs[static_cast<std::size_t>(k)];
    s(k) = tau(k) * squared_difference(input, a(input.column), b(input.column));
  }
  const ValueAndSlope shape = evaluate(factor.shape, s.sum());
  return {shape, std::move(s)};
}

double product_without(const std::vector<FactorValue>& factors, std::size_t left_out) {
  double product = 1;
  for (std::size_t f = 0; f < factors.size(); ++f) {
    if (f != left_out) product *= factors[f].shape.value;
  }
  return product;
}

// Far apart the slope is 0 and s may be infinite: 0 then.
Vector tau_slopes(const Factor& factor, const FactorValue& value, double others) {
  const double slope = others * value.shape.slope;
  if (slope == 0) return Vector::Zero(factor.tau_count(value.s.size()));
  return factor.ard ? Vector(slope * value.s) : Vector::Constant(1, slope * value.s.sum());
}

// Adds the term's value, and appends its derivatives from `place` on.
void add_term(const Term& term, const TermParameters& parameters, const RowVector& a,
              const RowVector& b, Index& place, ValueAndGradient& sum) {
  std::vector<FactorValue> factors;
  for (std::size_t f = 0; f < term.factors.size(); ++f) {
    factors.push_back(value_of(term.factors[f], parameters.tau[f], a, b));
  }
  const double value = parameters.sigma * product_without(factors, factors.size());
  sum.value += value;
  sum.gradient(place++) = value;
  for (std::size_t f = 0; f < factors.size(); ++f) {
    const double others = parameters.sigma * product_without(factors, f);
    const Vector slopes = tau_slopes(term.factors[f], factors[f], others);
    sum.gradient.segment(place, slopes.size()) = slopes;
    place += slopes.size();
  }
}

}  // namespace

ValueAndGradient evaluate(const Kernel& kernel, const KernelParameters& parameters,
                          const RowVector& a, const RowVector& b) {
  ValueAndGradient sum{0, Vector::Zero(kernel.parameter_count(a.size()))};
  Index place = 0;
  for (std::size_t t = 0; t < kernel.terms.size(); ++t) {
    add_term(kernel.terms[t], parameters[t], a, b, place, sum);
  }
  return sum;
}

}  // namespace ulisse
