#include "ulisse/kernel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <stdexcept>

#include "model/shape_names.h"

namespace ulisse {

namespace {

// As parse_kernel() takes it: other characters are in quotes.
std::string column_name(Index column, const std::vector<std::string>& features) {
  const auto place = static_cast<std::size_t>(column);
  if (place >= features.size()) return std::to_string(column + 1);
  const std::string& name = features[place];
  const bool is_plain = std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == ' ' || c == '.' || c == '_';
  });
  return is_plain ? name : fmt::format("\"{}\"", name);
}

std::string input_name(const KernelInput& input, const std::vector<std::string>& features) {
  const std::string column = column_name(input.column, features);
  if (input.kind != KernelInput::Kind::circle) return column;
  return fmt::format("{},{}", column, input.period);
}

std::string name_of(const Factor& factor, const std::vector<std::string>& features) {
  std::vector<std::string> inputs;
  for (const KernelInput& input : factor.inputs) inputs.push_back(input_name(input, features));
  const bool circle = !factor.inputs.empty() && factor.inputs[0].kind == KernelInput::Kind::circle;
  const std::string shape = circle ? kPeriodic : name_of(factor.shape, factor.ard);
  return !factor.by_name ? shape : fmt::format("{}({})", shape, fmt::join(inputs, ","));
}

}  // namespace

Index Factor::tau_count(Index d) const {
  if (!ard) return 1;
  return inputs.empty() ? d : static_cast<Index>(inputs.size());
}

Index Kernel::parameter_count(Index d) const {
  Index count = 0;
  for (const Term& term : terms) {
    ++count;
    for (const Factor& factor : term.factors) count += factor.tau_count(d);
  }
  return count;
}

std::vector<KernelInput> inputs_of(const Factor& factor, Index d) {
  if (!factor.inputs.empty()) return factor.inputs;
  std::vector<KernelInput> all;
  for (Index k = 0; k < d; ++k) all.emplace_back(k);
  return all;
}

std::string name_of(const Term& term, const std::vector<std::string>& features) {
  std::vector<std::string> factors;
  for (const Factor& factor : term.factors) factors.push_back(name_of(factor, features));
  return fmt::format("{}", fmt::join(factors, "*"));
}

std::string name_of(const Kernel& kernel) {
  std::vector<std::string> terms;
  for (const Term& term : kernel.terms) terms.push_back(name_of(term, {}));
  return fmt::format("{}", fmt::join(terms, " + "));
}

KernelParameters unpack(const Kernel& kernel, const ConstVector& psi, Index d) {
  if (psi.size() != kernel.parameter_count(d)) {
    throw std::invalid_argument(
        fmt::format("psi has {} elements, the kernel {} in {} dimensions has {}", psi.size(),
                    name_of(kernel), d, kernel.parameter_count(d)));
  }
  const Vector theta = psi.array().exp();
  KernelParameters parameters;
  Index place = 0;
  for (const Term& term : kernel.terms) {
    TermParameters of_term{.sigma = theta(place++), .tau = {}};
    for (const Factor& factor : term.factors) {
      const auto inputs = static_cast<Index>(inputs_of(factor, d).size());
      of_term.tau.push_back(factor.ard ? Vector(theta.segment(place, inputs))
                                       : Vector::Constant(inputs, theta(place)));
      place += factor.tau_count(d);
    }
    parameters.push_back(std::move(of_term));
  }
  return parameters;
}

double variance_of(const KernelParameters& parameters) {
  double sum = 0;
  for (const TermParameters& term : parameters) sum += term.sigma;
  return sum;
}

}  // namespace ulisse
