#include "fit/length_scales.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "fit/model_of_fit.h"
#include "ulisse/model.h"

namespace ulisse {

namespace {

using Json = nlohmann::ordered_json;

// Along one input, with the parameter that it comes from where several have the same input.
struct Along {
  Index place;  // in psi
  KernelInput input;
};

std::vector<Along> all_numbers(const Layout& layout) {
  std::vector<Along> found;
  for (Index place = 0; place < layout.size(); ++place) {
    const Parameter& parameter = layout.at(place);
    if (parameter.role != Role::inverse_squared_length) continue;
    for (const KernelInput& input : parameter.inputs) {
      if (input.kind == KernelInput::Kind::number) found.push_back({place, input});
    }
  }
  // In the order of the inputs, as a table has them.
  std::stable_sort(found.begin(), found.end(),
                   [](const Along& a, const Along& b) { return a.input.column < b.input.column; });
  return found;
}

std::string label(const Along& along, const std::vector<Along>& all, const Model& model,
                  const std::vector<std::string>& names) {
  const std::string& name = names[static_cast<std::size_t>(along.input.column)];
  const auto same = std::count_if(all.begin(), all.end(), [&](const Along& other) {
    return other.input.column == along.input.column;
  });
  return same == 1 ? name : fmt::format("{} ({})", name, model.layout.at(along.place).name);
}

}  // namespace

std::vector<LengthScale> length_scales(const FitRecord& fit,
                                       const std::vector<diagnose::ParameterSummary>& parameters) {
  if (!fit.scaling || !fit.data || parameters.empty()) return {};
  const Model model = model_of(fit);
  const std::vector<Along> all = all_numbers(model.layout);
  std::vector<LengthScale> scales;
  for (const Along& along : all) {
    const Shape shape = model.layout.at(along.place).shape;
    const auto& tau = parameters.at(static_cast<std::size_t>(along.place));
    const double unit = fit.scaling->x_sd(along.input.column);
    // Falls as tau rises, so that quantiles change places and nothing else.
    scales.push_back({.input = label(along, all, model, fit.data->features),
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
