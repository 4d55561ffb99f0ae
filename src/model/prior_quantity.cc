#include "model/prior_quantity.h"

#include <fmt/format.h>

#include <cmath>

#include "base/option_names.h"
#include "model/role_names.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

// "tau.2.day" is "tau" and ".2.day".
std::pair<std::string, std::string> taken_apart(const std::string& name) {
  const std::size_t point = name.find('.');
  if (point == std::string::npos) return {name, ""};
  return {name.substr(0, point), name.substr(point)};
}

// The standard deviation of a column of numbers; circles and categories have distances of their
// own.
double unit_of(const KernelInput& input, const Standardisation& scaling) {
  return input.kind == KernelInput::Kind::number ? scaling.x_sd(input.column) : 1;
}

double length_unit(const Parameter& parameter, const Standardisation& scaling) {
  const double unit = unit_of(parameter.inputs.front(), scaling);
  for (const KernelInput& input : parameter.inputs) {
    if (std::abs(unit_of(input, scaling) - unit) <= 1e-9 * unit) continue;
    throw InputError(fmt::format(
        "{}: {} is one for inputs whose standard deviations differ, so that its length scale has "
        "no unit of the table; state it on standardised values, or give each input its own by an "
        "-ard kernel",
        option_named("prior_units"), parameter.name));
  }
  return unit;
}

}  // namespace

NamedQuantity quantity_in(const std::string& name) {
  const auto [stem, rest] = taken_apart(name);
  for (const RoleNames& of : kRoleNames) {
    if (stem == of.quantity) return {of.parameter + rest, stem};
  }
  return {name, ""};
}

std::string name_of(const NamedQuantity& quantity) {
  if (quantity.quantity.empty()) return quantity.parameter;
  return quantity.quantity + taken_apart(quantity.parameter).second;
}

// The length scale falls as tau^(-1/2); standard deviations are roots of variances.
PowerLaw law_of(const std::string& quantity, const Parameter& parameter) {
  if (quantity.empty()) return {};
  if (parameter.role != Role::inverse_squared_length) return {0.5, 1};
  return {-0.5, length_scale(parameter.shape, 1)};
}

StatedPrior stated_prior(const std::string& quantity, const Prior& prior,
                         const Parameter& parameter) {
  StatedPrior stated(prior);
  const auto [power, constant] = law_of(quantity, parameter);
  stated.quantity = quantity;
  stated.power = power;
  stated.constant = constant;
  return stated;
}

StatedPrior parse_stated_prior(const std::string& text, const Parameter& parameter) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return parse_prior(text);
  const std::string quantity = text.substr(0, equals);
  const std::string own = taken_apart(parameter.name).first;
  if (quantity_in(quantity).quantity.empty() || quantity_in(quantity).parameter != own) {
    throw InputError(fmt::format("'{}' is no quantity of {}", quantity, parameter.name));
  }
  return stated_prior(quantity, parse_prior(text.substr(equals + 1)), parameter);
}

double unit_of(const Parameter& parameter, const Standardisation& scaling) {
  if (parameter.role != Role::inverse_squared_length) return scaling.y_sd * scaling.y_sd;
  const double unit = length_unit(parameter, scaling);
  return 1 / (unit * unit);
}

// With log(q) = log(constant) + power psi the density of psi is that of log(q) times |power|.
ValueAndSlope StatedPrior::log_density_psi(double psi) const {
  const auto [value, slope] = prior.log_density_psi(std::log(constant) + power * psi);
  return {value + std::log(std::abs(power)), power * slope};
}

std::string StatedPrior::to_string() const {
  return quantity.empty() ? prior.to_string() : quantity + "=" + prior.to_string();
}

}  // namespace ulisse
