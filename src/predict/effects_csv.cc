#include "predict/effects_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "fit/fit_contents.h"
#include "fit/read_fit.h"
#include "predict/fit_id.h"
#include "predict/prediction_csv.h"

namespace ulisse {

std::string effects_csv(const Fit& fit, const Effects& effects) {
  const Dataset table = data_of(fit);
  const std::string id = fit_id(fit.contents().json);
  std::string text = "input,at,mean,lower,upper,averaged,averaged_lower,averaged_upper,fit\n";
  for (const Effect& effect : effects.inputs) {
    const auto place = std::find(table.features.begin(), table.features.end(), effect.input);
    const Index k = place - table.features.begin();
    for (Index g = 0; g < effect.at.size(); ++g) {
      fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{},{}\n",
                     csv_cell(effect.input), input_cell(table, effect.at(g), k), effect.mean(g),
                     effect.lower(g), effect.upper(g), effect.averaged(g), effect.averaged_lower(g),
                     effect.averaged_upper(g), id);
    }
  }
  return text;
}

}  // namespace ulisse
