#include "predict/saved_fit.h"

#include <fmt/format.h>

#include "base/option_names.h"
#include "fit/belonging.h"
#include "fit/fit_contents.h"
#include "fit/model_of_fit.h"
#include "fit/read_fit.h"
#include "predict/fit_id.h"
#include "ulisse/error.h"

namespace ulisse {

SavedFit saved_fit(const Fit& fit) {
  const Fit::Contents& contents = fit.contents();
  const FitRecord& record = contents.record;
  const Standardisation& scaling = record.required_scaling();
  const Matrix psi = psi_of(contents.chains());
  if (psi.rows() == 0) {
    throw InputError(fmt::format("{}: there are no draws yet; go on with {}", contents.place(),
                                 option_named("resume")));
  }
  const Dataset raw = data_of(fit);
  if (record.parameters.empty()) {
    throw InputError(fmt::format("{}: parameters: is missing", record.file));
  }
  return {.data = scaled(raw, scaling),
          .scaling = scaling,
          .model = model_of(record),
          .psi = psi,
          .mode = record.required_mode().psi,
          .id = fit_id(contents.json),
          .terms = terms_of(record)};
}

Matrix spread_draws(const Matrix& psi, Index count) {
  if (count >= psi.rows()) return psi;
  Matrix chosen(count, psi.cols());
  for (Index i = 0; i < count; ++i) chosen.row(i) = psi.row((2 * i + 1) * psi.rows() / (2 * count));
  return chosen;
}

}  // namespace ulisse
