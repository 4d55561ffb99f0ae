// fit.json, through everything that reads a fit's folder.

#include "fit/summary.h"
#include "fuzz_target.h"
#include "predict/saved_fit.h"
#include "report/report_data.h"
#include "report/summary_words.h"
#include "support/written_fit.h"

using namespace ulisse;

namespace {

const testing::WrittenFit& folder() {
  static const testing::WrittenFit fit("fuzz_fit_json");
  return fit;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  folder().put("fit.json", fuzz::text_of(bytes, size));
  fuzz::read_or_refuse([] {
    const FitSummary summary = full_summary(load_fit(folder().folder().path()));
    to_text(summary);
    json_text(to_json(summary));
  });
  fuzz::read_or_refuse([] { saved_fit(load_fit(folder().folder().path())); });
  fuzz::read_or_refuse([] { json_text(report_data(load_fit(folder().folder().path()), {})); });
  return 0;
}

std::vector<std::string> fuzz::seeds() {
  nlohmann::ordered_json begun = folder().json();  // of a fit that hardly began
  for (const char* key : {"mode", "metric", "setup", "chains", "draws"}) begun.erase(key);
  return {json_text(folder().json()), folder().json().dump(), begun.dump()};
}
