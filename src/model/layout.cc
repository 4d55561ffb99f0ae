#include "ulisse/layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "model/prior_quantity.h"

namespace ulisse {

namespace {

// "tau" stands for "tau.3" too.
bool covers(const std::string& name, const Parameter& parameter) {
  return parameter.name == name || (!name.empty() && parameter.alias == name) ||
         parameter.name.starts_with(name + ".");
}

void check_fixed(const std::string& name, const Parameter& parameter, double value) {
  const bool may_be_zero = parameter.role == Role::noise_variance;
  if (std::isfinite(value) && (value > 0 || (may_be_zero && value == 0))) return;
  throw std::invalid_argument(fmt::format("{} cannot be fixed at {}", name, value));
}

double log_value(const Parameter& parameter, const Layout::Values& values, double terms) {
  switch (parameter.role) {
    case Role::signal_variance:
      return values.log_signal_variance - std::log(terms);
    case Role::inverse_squared_length:
      return values.log_inverse_squared_length(parameter);
    case Role::noise_variance:
      return values.log_noise_variance;
  }
  throw std::logic_error("a parameter without a role");
}

}  // namespace

Layout::Layout(std::vector<Parameter> of_kernel, std::vector<Parameter> of_noise)
    : parameters_(std::move(of_kernel)), of_kernel_(static_cast<Index>(parameters_.size())) {
  for (Parameter& parameter : of_noise) parameters_.push_back(std::move(parameter));
  find_free();
}

void Layout::find_free() {
  free_.clear();
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (!parameters_[i].fixed) free_.push_back(static_cast<Index>(i));
  }
}

const Parameter& Layout::at(Index place) const {
  return parameters_[static_cast<std::size_t>(free_.at(static_cast<std::size_t>(place)))];
}

std::vector<std::string> Layout::names() const {
  std::vector<std::string> names;
  for (Index i = 0; i < size(); ++i) names.push_back(at(i).name);
  return names;
}

bool Layout::set_prior(const std::string& name, const Prior& prior, bool data_units) {
  const NamedQuantity named = quantity_in(name);
  bool found = false;
  for (Parameter& parameter : parameters_) {
    if (!covers(named.parameter, parameter)) continue;
    parameter.prior = stated_prior(named.quantity, prior, parameter);
    parameter.prior.data_units = data_units;
    found = true;
  }
  return found;
}

void Layout::set_prior(Index place, const StatedPrior& prior) {
  parameters_[static_cast<std::size_t>(free_.at(static_cast<std::size_t>(place)))].prior = prior;
}

void Layout::fix(const std::string& name, double value, bool data_units) {
  const NamedQuantity named = quantity_in(name);
  bool found = false;
  for (Parameter& parameter : parameters_) {
    if (!covers(named.parameter, parameter)) continue;
    check_fixed(name_of({parameter.name, named.quantity}), parameter, value);
    const auto [power, constant] = law_of(named.quantity, parameter);
    parameter.fixed = power == 1 ? value : std::pow(value / constant, 1 / power);
    parameter.fixed_in_data_units = data_units;
    found = true;
  }
  if (!found) {
    throw std::invalid_argument(fmt::format("there is no parameter '{}' to fix; there are {}", name,
                                            fmt::join(names(), ", ")));
  }
  find_free();
}

bool Layout::is_fixed(const std::string& name) const {
  const std::string parameter = quantity_in(name).parameter;
  Index found = 0, free = 0;
  for (const Parameter& p : parameters_) {
    if (!covers(parameter, p)) continue;
    ++found;
    if (!p.fixed) ++free;
  }
  return found > 0 && free == 0;
}

void Layout::scale(const Standardisation& scaling) {
  for (Parameter& p : parameters_) {
    if (p.fixed && p.fixed_in_data_units) *p.fixed /= unit_of(p, scaling);
    p.fixed_in_data_units = false;
    if (p.fixed || !p.prior.data_units) continue;
    p.prior.constant *= std::pow(unit_of(p, scaling), p.prior.power);
  }
}

void Layout::check_length(const ConstVector& psi) const {
  if (psi.size() == size()) return;
  throw std::invalid_argument(fmt::format("psi has {} elements, the model {}", psi.size(), size()));
}

Vector Layout::filled_in(const ConstVector& psi) const {
  check_length(psi);
  Vector all(static_cast<Index>(parameters_.size()));
  for (Index i = 0, place = 0; i < all.size(); ++i) {
    const auto& fixed = parameters_[static_cast<std::size_t>(i)].fixed;
    all(i) = fixed ? std::log(*fixed) : psi(place++);
  }
  return all;
}

Vector Layout::kernel_psi(const ConstVector& psi) const { return filled_in(psi).head(of_kernel_); }

Vector Layout::noise_psi(const ConstVector& psi) const {
  const Vector all = filled_in(psi);
  return all.tail(all.size() - of_kernel_);
}

Vector Layout::of_free(const Vector& by_all) const { return by_all(free_); }

Matrix Layout::of_free(const Matrix& by_all) const { return by_all(free_, Eigen::all); }

ValueAndGradient Layout::log_prior(const ConstVector& psi) const {
  check_length(psi);
  ValueAndGradient result{0, Vector(psi.size())};
  for (Index i = 0; i < psi.size(); ++i) {
    const auto [value, slope] = at(i).prior.log_density_psi(psi(i));
    result.value += value;
    result.gradient(i) = slope;
  }
  return result;
}

Vector Layout::psi_with(const Values& values) const {
  const auto terms = std::count_if(parameters_.begin(), parameters_.end(), [](const Parameter& p) {
    return p.role == Role::signal_variance;
  });
  Vector psi(size());
  for (Index i = 0; i < size(); ++i) psi(i) = log_value(at(i), values, static_cast<double>(terms));
  return psi;
}

Index Layout::inverse_squared_lengths() const {
  Index count = 0;
  for (Index i = 0; i < size(); ++i) count += at(i).role == Role::inverse_squared_length ? 1 : 0;
  return count;
}

std::optional<Index> Layout::input_of(Index place) const {
  const Parameter& parameter = at(place);
  if (!parameter.per_input) return std::nullopt;
  return parameter.inputs.front().column;
}

}  // namespace ulisse
