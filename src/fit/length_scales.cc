#include "fit/length_scales.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "ulisse/model.h"

namespace ulisse {

namespace {

using Json = nlohmann::ordered_json;

// Falls as tau rises, so that quantiles change places and nothing else.
double length_of(double tau, const Kernel& kernel, double unit) {
  const double squared = kernel.shape == Shape::rbf ? 2 * tau : tau;
  return unit / std::sqrt(squared);
}

}  // namespace

std::vector<LengthScale> length_scales(const FitRecord& fit,
                                       const std::vector<diagnose::ParameterSummary>& parameters) {
  if (!fit.scaling || !fit.data || parameters.empty()) return {};
  const Kernel kernel = parse_kernel(fit.settings.kernel);
  const std::vector<std::string>& names = fit.data->features;
  const Vector& units = fit.scaling->x_sd;
  std::vector<LengthScale> scales;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto& tau = parameters.at(kernel.ard ? 1 + k : 1);
    const double unit = units(static_cast<Index>(k));
    scales.push_back({.input = names[k],
                      .q5 = length_of(tau.q95, kernel, unit),
                      .q50 = length_of(tau.q50, kernel, unit),
                      .q95 = length_of(tau.q5, kernel, unit)});
  }
  return scales;
}

Json to_json(const std::vector<LengthScale>& scales) {
  Json json = Json::object();
  for (const LengthScale& s : scales) {
    json[s.input] = {
        {"q5", json_number(s.q5)}, {"q50", json_number(s.q50)}, {"q95", json_number(s.q95)}};
  }
  return json;
}

}  // namespace ulisse
