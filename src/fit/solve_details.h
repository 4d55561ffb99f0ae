#pragma once

#include <nlohmann/json.hpp>

#include "sample/noise_history.h"
#include "sample/solve_record.h"

namespace ulisse {

// What fit.json says of the solves of a chain.
inline void describe_solves(const SolveRecord& record, nlohmann::ordered_json& json) {
  json["products_per_iteration"] = record.mean_products();
  json["terms_per_solve"] = record.mean(record.terms);
  json["untrustworthy_per_iteration"] = record.mean(static_cast<double>(record.untrustworthy));
  json["unfinished_solves"] = record.unfinished;
}

// And of the steps and the gradients' noise along it.
inline void describe_history(const NoiseHistory& history, nlohmann::ordered_json& json) {
  json["history"] = {{"iterations", history.iterations},
                     {"steps", history.steps},
                     {"noise_ratios", history.ratios}};
}

}  // namespace ulisse
