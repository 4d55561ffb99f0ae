#include "model/trend.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/nearest_name.h"
#include "base/option_names.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

Indices numeric_inputs(const Dataset& data) {
  Indices inputs;
  for (Index k = 0; k < data.x.cols(); ++k) {
    if (is_numeric_input(data, k)) inputs.push_back(k);
  }
  if (!inputs.empty()) return inputs;
  throw InputError(
      fmt::format("{}: slopes are of inputs that are numbers, and there are none; {} is an "
                  "intercept alone",
                  option_named("trend"), option_set("trend", "constant")));
}

// Names that no input has are taken apart at their commas.
std::vector<std::string> names_in(const std::vector<std::string>& given, const Dataset& data) {
  std::vector<std::string> names;
  for (const std::string& text : given) {
    const auto& inputs = data.features;
    const bool whole = std::find(inputs.begin(), inputs.end(), text) != inputs.end();
    for (std::size_t start = 0, comma = 0; comma != std::string::npos; start = comma + 1) {
      comma = whole ? std::string::npos : text.find(',', start);
      names.push_back(text.substr(start, comma == std::string::npos ? comma : comma - start));
    }
  }
  return names;
}

std::vector<std::string> names_of(const Indices& inputs, const Dataset& data) {
  std::vector<std::string> names;
  for (const Index k : inputs) names.push_back(data.features[static_cast<std::size_t>(k)]);
  return names;
}

Index input_named(const std::string& name, const Dataset& data) {
  const auto& names = data.features;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    const std::vector<std::string> numbers = names_of(numeric_inputs(data), data);
    throw InputError(fmt::format("{}: there is no input '{}'{}; those of numbers are {}",
                                 option_named("trend"), name, did_you_mean(name, numbers),
                                 fmt::join(numbers, ", ")));
  }
  const Index input = found - names.begin();
  if (is_numeric_input(data, input)) return input;
  throw InputError(
      fmt::format("{}: {} is no input of numbers; name others", option_named("trend"), name));
}

}  // namespace

Matrix Mean::basis(const ConstBlock& x) const {
  Matrix h(x.rows(), size());
  if (intercept) h.col(0).setOnes();
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    h.col((intercept ? 1 : 0) + static_cast<Index>(k)) = x.col(inputs[k]);
  }
  return h;
}

std::vector<Mean::Coefficient> Mean::coefficients() const {
  std::vector<Coefficient> all;
  if (intercept) all.push_back({.text = "intercept"});
  for (const Index input : inputs) all.push_back({.column = input});
  return all;
}

// y = y_mean + y_sd (b_0 + sum_k b_k (x_k - x_mean_k) / x_sd_k), for x as it is in the table.
Vector Mean::in_units(const Vector& coefficients, const Standardisation& scaling) const {
  Vector result = scaling.y_sd * coefficients;
  double at_zero = scaling.y_mean;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    double& slope = result((intercept ? 1 : 0) + static_cast<Index>(k));
    slope /= scaling.x_sd(inputs[k]);
    at_zero -= slope * scaling.x_mean(inputs[k]);
  }
  if (intercept) result(0) += at_zero;
  return result;
}

Mean parse_trend(const ModelOptions& options, const Dataset& data) {
  Mean mean{.intercept = !options.trend.empty(), .scale = options.trend_scale};
  if (!(mean.scale > 0 && std::isfinite(mean.scale))) {
    throw InputError(fmt::format("{} must be a positive number", option_named("trend_scale")));
  }
  for (const std::string& name : names_in(options.trend, data)) {
    const bool is_input =
        std::find(data.features.begin(), data.features.end(), name) != data.features.end();
    if (!is_input && name == "constant") continue;
    const Indices named =
        !is_input && name == "linear" ? numeric_inputs(data) : Indices{input_named(name, data)};
    for (const Index input : named) {
      const auto& all = mean.inputs;
      if (std::find(all.begin(), all.end(), input) == all.end()) mean.inputs.push_back(input);
    }
  }
  return mean;
}

std::vector<std::string> trend_words(const Mean& mean, const Dataset& data) {
  if (mean.size() == 0) return {};
  if (mean.inputs.empty()) return {"constant"};
  std::vector<std::string> names;
  for (const Index input : mean.inputs) {
    names.push_back(data.features.at(static_cast<std::size_t>(input)));
  }
  return names;
}

}  // namespace ulisse
