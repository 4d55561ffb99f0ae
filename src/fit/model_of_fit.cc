#include "fit/model_of_fit.h"

namespace ulisse {

Dataset columns_of(const FitRecord::Data& data) {
  return {.x = Matrix(0, static_cast<Index>(data.features.size())),
          .features = data.features,
          .target = data.target,
          .levels = data.levels,
          .known_noise = data.known_noise};
}

Model model_of(const FitRecord& record) {
  Model model = make_model(record.settings.model, columns_of(record.required_data()));
  return record.scaling ? scaled(std::move(model), *record.scaling) : model;
}

}  // namespace ulisse
