#include "fit/length_scales.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "fit/model_of_fit.h"
#include "ulisse/model.h"

namespace ulisse {

namespace {

using Json = nlohmann::ordered_json;

}  // namespace

std::vector<LengthScale> length_scales(const FitRecord& fit,
                                       const std::vector<diagnose::ParameterSummary>& parameters) {
  if (!fit.scaling || !fit.data || parameters.empty()) return {};
  const Model model = model_of(fit);
  const Shape shape = model.kernel.shape;
  const std::vector<std::string>& names = fit.data->features;
  const Vector& units = fit.scaling->x_sd;
  std::vector<LengthScale> scales;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto input = static_cast<Index>(k);
    const auto place = model.layout.inverse_squared_length_of(input);
    if (!place) continue;
    const auto& tau = parameters.at(static_cast<std::size_t>(*place));
    const double unit = units(input);
    // Falls as tau rises, so that quantiles change places and nothing else.
    scales.push_back({.input = names[k],
                      .q5 = length_scale(shape, tau.q95, unit),
                      .q50 = length_scale(shape, tau.q50, unit),
                      .q95 = length_scale(shape, tau.q5, unit)});
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
