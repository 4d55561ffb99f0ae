// What programs ask of a fit for people: ulisse/fit.h.

#include "base/json_text.h"
#include "base/option_names.h"
#include "report/page.h"
#include "report/report_data.h"
#include "report/summary_words.h"
#include "store/files.h"
#include "ulisse/fit.h"

namespace ulisse {

std::string summary_text(const Fit& fit) { return to_text(full_summary(fit), option_names()); }

std::string summary_json(const Fit& fit) {
  return json_text(summary_json(full_summary(fit), option_names()));
}

void write_report(const Fit& fit, const std::string& file, const std::string& predictions) {
  std::optional<PredictionTable> table;
  if (!predictions.empty()) table = read_predictions(predictions);
  write_atomically(file, report_page(report_data(fit, table)));
}

}  // namespace ulisse
