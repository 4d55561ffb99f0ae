#include "fit/model_of_fit.h"

#include "model/prior_quantity.h"

namespace ulisse {

Dataset columns_of(const FitRecord::Data& data) {
  return {.x = Matrix(0, static_cast<Index>(data.features.size())),
          .features = data.features,
          .target = data.target,
          .levels = data.levels,
          .first_days = data.first_days,
          .known_noise = data.known_noise};
}

Model model_of(const FitRecord& record) {
  Model model = make_model(record.settings.model, columns_of(record.required_data()));
  // What they were made with, whatever the texts of the settings leave to defaults.
  for (std::size_t i = 0; i < record.parameters.size(); ++i) {
    const FitRecord::Parameter& as_kept = record.parameters[i];
    StatedPrior prior = parse_stated_prior(as_kept.prior, model.layout.at(static_cast<Index>(i)));
    prior.data_units = as_kept.prior_units == kDataUnits;
    model.layout.set_prior(static_cast<Index>(i), prior);
  }
  return record.scaling ? scaled(std::move(model), *record.scaling) : model;
}

}  // namespace ulisse
