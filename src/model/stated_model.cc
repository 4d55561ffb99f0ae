#include "model/stated_model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "model/trend.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

bool same(const Factor& a, const Factor& b, Index d) {
  return a.shape == b.shape && a.ard == b.ard && inputs_of(a, d) == inputs_of(b, d);
}

bool same(const Kernel& a, const Kernel& b, Index d) {
  return std::equal(a.terms.begin(), a.terms.end(), b.terms.begin(), b.terms.end(),
                    [&](const Term& one, const Term& other) {
                      return std::equal(
                          one.factors.begin(), one.factors.end(), other.factors.begin(),
                          other.factors.end(),
                          [&](const Factor& p, const Factor& q) { return same(p, q, d); });
                    });
}

bool same(const Parameter& a, const Parameter& b) {
  return a.name == b.name && a.role == b.role && a.fixed == b.fixed &&
         (!a.fixed || a.fixed_in_data_units == b.fixed_in_data_units);
}

bool same(const Noise& a, const Noise& b) {
  if (!a.known || !b.known) return !a.known && !b.known;
  return a.known->column == b.known->column && a.known->is_variance == b.known->is_variance;
}

// But for priors.
bool same(const Model& a, const Model& b) {
  const auto& of_a = a.layout.parameters();
  const auto& of_b = b.layout.parameters();
  return a.dimensions == b.dimensions && a.mean == b.mean &&
         same(a.kernel, b.kernel, a.dimensions) && same(a.noise, b.noise) &&
         std::equal(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(),
                    [](const Parameter& p, const Parameter& q) { return same(p, q); });
}

bool make(const ModelOptions& options, const Model& model, const Dataset& data) {
  try {
    return same(make_model(options, data), model);
  } catch (const InputError&) {
    return false;
  }
}

std::string kernel_text(const Kernel& kernel, const std::vector<std::string>& features) {
  std::vector<std::string> terms;
  for (const Term& term : kernel.terms) terms.push_back(name_of(term, features));
  return fmt::format("{}", fmt::join(terms, " + "));
}

ModelOptions options_in_words(const Model& model, const Dataset& data) {
  ModelOptions options{.kernel = kernel_text(model.kernel, data.features),
                       .default_priors = model.given.default_priors,
                       .trend = trend_words(model.mean, data),
                       .trend_scale = model.mean.scale};
  for (const Parameter& p : model.layout.parameters()) {
    if (!p.fixed) continue;
    options.fixed.push_back(fmt::format("{}={}", p.name, *p.fixed));
    if (p.fixed_in_data_units) options.prior_units = kDataUnits;
  }
  return options;
}

}  // namespace

ModelOptions stated(const Model& model, const Dataset& data) {
  if (!model.given.kernel.empty() && make(model.given, model, data)) return model.given;
  ModelOptions options = options_in_words(model, data);
  if (make(options, model, data)) return options;
  throw std::invalid_argument(fmt::format(
      "a fit keeps its model in words, and there are none for this one: the nearest are kernel {}, "
      "trend [{}], fixed [{}]",
      options.kernel, fmt::join(options.trend, ", "), fmt::join(options.fixed, ", ")));
}

}  // namespace ulisse
