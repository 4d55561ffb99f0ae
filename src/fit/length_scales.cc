#include "fit/length_scales.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/printable.h"
#include "ulisse/model.h"

namespace ulisse {

namespace {

using Json = nlohmann::ordered_json;

}  // namespace

std::vector<LengthScale> length_scales(const FitRecord& fit,
                                       const std::vector<diagnose::ParameterSummary>& parameters) {
  if (!fit.scaling || !fit.data || parameters.empty()) return {};
  const Model model = make_model(parse_kernel(fit.settings.kernel), fit.scaling->x_sd.size());
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

std::string to_text(const std::vector<LengthScale>& scales) {
  constexpr std::size_t kMost = 20;
  std::size_t width = std::string("length scale of").size();
  for (const LengthScale& s : scales) width = std::max(width, printable(s.input).size());
  std::string text = fmt::format("{:<{}} {:>11} {:>11} {:>11}   in the input's units\n",
                                 "length scale of", width, "5%", "50%", "95%");
  for (std::size_t k = 0; k < std::min(kMost, scales.size()); ++k) {
    const LengthScale& s = scales[k];
    text += fmt::format("{:<{}} {:>11.4g} {:>11.4g} {:>11.4g}\n", printable(s.input), width, s.q5,
                        s.q50, s.q95);
  }
  if (scales.size() > kMost) {
    text += fmt::format("and {} more, which --json has\n", scales.size() - kMost);
  }
  return text;
}

}  // namespace ulisse
