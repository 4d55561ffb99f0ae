#include "model/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "model/plain_name.h"
#include "model/shape_names.h"

namespace ulisse {

namespace {

constexpr const char *kSignal = "signal_sd", *kNoise = "noise_sd", *kLength = "lengthscale",
                     *kTrend = "trend";
constexpr std::array<std::string_view, 4> kStems = {kSignal, kNoise, kLength, kTrend};

std::string_view stem_of(std::string_view column) { return column.substr(0, column.find('.')); }

bool is_number(const KernelInput& input) { return input.kind == KernelInput::Kind::number; }

// What stands behind the term in the name of a tau that belongs to one input.
std::string own_name(const Parameter& parameter) {
  if (parameter.inputs.size() != 1) return "";
  const std::string& name = parameter.name;
  const std::size_t last = name.rfind('.');
  const bool is_term = last == std::string::npos ||
                       name.find_first_not_of("0123456789", last + 1) == std::string::npos;
  return is_term ? "" : name.substr(last + 1);
}

}  // namespace

bool names_quantity(std::string_view column) {
  return std::find(kStems.begin(), kStems.end(), stem_of(column)) != kStems.end();
}

bool names_length_scale(std::string_view column) { return stem_of(column) == kLength; }

bool names_trend(std::string_view column) { return stem_of(column) == kTrend; }

Quantities::Quantities(Model model, Standardisation scaling, std::vector<std::string> features)
    : model_(std::move(model)), scaling_(std::move(scaling)), features_(std::move(features)) {
  add_signal();
  add({.name = kNoise, .kind = Quantity::Kind::noise_sd}, "", "", "");
  add_length_scales();
  add_trend();
}

std::vector<std::string> Quantities::names() const {
  std::vector<std::string> names;
  for (const Quantity& quantity : all_) names.push_back(quantity.name);
  return names;
}

// stem.last; stem.or_else_last, stem.or_else_last_2, ... where there is such a one. Without a last
// part it has a name.
void Quantities::add(Quantity quantity, const std::string& stem, const std::string& last,
                     const std::string& or_else) {
  if (!last.empty()) {
    const std::string longer = fmt::format("{}.{}_{}", stem, or_else, last);
    quantity.name = fmt::format("{}.{}", stem, last);
    if (used_.contains(quantity.name)) quantity.name = longer;
    for (int again = 2; used_.contains(quantity.name); ++again) {
      quantity.name = fmt::format("{}_{}", longer, again);
    }
  }
  used_.insert(quantity.name);
  all_.push_back(std::move(quantity));
}

void Quantities::add_signal() {
  add({.name = kSignal, .kind = Quantity::Kind::signal_sd}, "", "", "");
  const auto terms = static_cast<Index>(model_.kernel.terms.size());
  for (Index t = 0; terms > 1 && t < terms; ++t) {
    add({.name = fmt::format("{}.{}", kSignal, t + 1),
         .kind = Quantity::Kind::signal_sd,
         .term = t},
        "", "", "");
  }
}

// As those of tau: kernels on all inputs, without their names, have an array of them.
bool Quantities::counts_inputs() const {
  if (!model_.kernel.is_one_factor()) return false;
  const Factor& factor = model_.kernel.terms[0].factors[0];
  const auto inputs = inputs_of(factor, model_.dimensions);
  return !factor.by_name && std::all_of(inputs.begin(), inputs.end(), is_number);
}

void Quantities::add_length_scales() {
  const bool counted = counts_inputs();
  const auto& parameters = model_.layout.parameters();
  Index count = 0;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& parameter = parameters[i];
    if (parameter.role != Role::inverse_squared_length) continue;
    const std::string stem = model_.kernel.terms.size() == 1
                                 ? kLength
                                 : fmt::format("{}.{}", kLength, parameter.term + 1);
    for (const KernelInput& input : parameter.inputs) {
      if (!is_number(input)) continue;
      const std::string& feature = features_.at(static_cast<std::size_t>(input.column));
      const std::string own = own_name(parameter);
      add({.kind = Quantity::Kind::length_scale,
           .term = parameter.term,
           .column = input.column,
           .parameter = static_cast<Index>(i)},
          stem,
          counted       ? std::to_string(++count)
          : own.empty() ? plain_name(feature)
                        : own,
          name_of(parameter.shape, false));
    }
  }
}

void Quantities::add_trend() {
  for (const auto& [column, text] : model_.mean.coefficients()) {
    const std::string of =
        column < 0 ? "" : plain_name(features_.at(static_cast<std::size_t>(column)));
    add({.kind = Quantity::Kind::trend, .column = column}, kTrend, of + text, "input");
  }
}

Vector Quantities::trend_in_units(const Vector& coefficients) const {
  const Mean& mean = model_.mean;
  if (coefficients.size() == mean.size()) return mean.in_units(coefficients, scaling_);
  return Vector::Constant(mean.size(), std::numeric_limits<double>::quiet_NaN());
}

Vector Quantities::at(const ConstVector& psi, const Vector& coefficients) const {
  const Vector kernel_psi = model_.layout.kernel_psi(psi);
  const auto terms = unpack(model_.kernel, kernel_psi, model_.dimensions);
  const auto& parameters = model_.layout.parameters();
  const Vector trend = trend_in_units(coefficients);
  Vector values(static_cast<Index>(all_.size()));
  Index of_trend = 0;
  for (Index i = 0; i < values.size(); ++i) {
    const Quantity& q = all_[static_cast<std::size_t>(i)];
    switch (q.kind) {
      case Quantity::Kind::signal_sd:
        values(i) =
            scaling_.y_sd * std::sqrt(q.term < 0 ? variance_of(terms)
                                                 : terms[static_cast<std::size_t>(q.term)].sigma);
        break;
      case Quantity::Kind::noise_sd:
        values(i) = scaling_.y_sd * Noise::sd(model_.layout.noise_psi(psi));
        break;
      case Quantity::Kind::length_scale:
        values(i) = length_scale(parameters[static_cast<std::size_t>(q.parameter)].shape,
                                 std::exp(kernel_psi(q.parameter)), scaling_.x_sd(q.column));
        break;
      case Quantity::Kind::trend:
        values(i) = trend(of_trend++);
        break;
    }
  }
  return values;
}

}  // namespace ulisse
