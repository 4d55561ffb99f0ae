#include "fit/what_was_fitted.h"

#include <nlohmann/json.hpp>

#include "fit/belonging.h"

namespace ulisse {

namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> fixed_of(const ModelOptions& model) {
  std::vector<std::string> fixed = model.fixed;
  if (model.prior_units != kDataUnits) return fixed;
  for (std::string& text : fixed) text += kInDataUnits;
  return fixed;
}

}  // namespace

WhatWasFitted what_was_fitted(const FitRecord& record) {
  WhatWasFitted fitted{.standardised = record.settings.standardise,
                       .kernel = record.settings.model.kernel,
                       .terms = terms_of(record),
                       .trend = record.settings.model.trend,
                       .trend_scale = record.settings.model.trend_scale,
                       .fixed = fixed_of(record.settings.model),
                       .preset = record.settings.preset,
                       .seed = record.settings.seed};
  if (record.data) {
    fitted.file = record.data->file;
    fitted.target = record.data->target;
    fitted.rows = record.data->rows;
    fitted.inputs = record.data->features;
    if (const auto& known = record.data->known_noise) {
      const auto at = fitted.inputs.begin() + known->column;
      fitted.known_noise = *at;
      fitted.inputs.erase(at);
    }
  }
  for (const FitRecord::Parameter& p : record.parameters) {
    const bool in_data_units = p.prior_units == kDataUnits;
    fitted.priors.emplace_back(p.name, p.prior + (in_data_units ? kInDataUnits : ""));
  }
  return fitted;
}

Json to_json(const WhatWasFitted& f) {
  Json priors = Json::object();
  for (const auto& [name, prior] : f.priors) priors[name] = prior;
  return {{"file", f.file},
          {"target", f.target},
          {"rows", f.rows},
          {"inputs", f.inputs},
          {"standardised", f.standardised},
          {"kernel", f.kernel},
          {"terms", f.terms},
          {"trend", f.trend},
          {"trend_scale", f.trend_scale},
          {"known_noise", f.known_noise},
          {"fixed", f.fixed},
          {"priors", priors},
          {"preset", f.preset},
          {"seed", f.seed}};
}

}  // namespace ulisse
