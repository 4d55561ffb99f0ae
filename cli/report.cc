// ulisse report: one HTML file to look at a fit.

#include <fmt/format.h>

#include <optional>

#include "command.h"
#include "out_file.h"
#include "report/prediction_table.h"
#include "ulisse/fit.h"

namespace ulisse::cli {

namespace {

struct Options {
  std::string folder, predictions, out = "report.html";
};

void run(const Options& options) {
  // A page may stand beside the fit's files, none of which is called like one.
  const bool page = options.out.ends_with(".html");
  check_out_file(options.out, {.needed = options.predictions,
                               .what = "the file of predictions to be shown",
                               .fit_folder = page ? "" : options.folder});
  std::optional<PredictionTable> predictions;
  if (!options.predictions.empty()) predictions = read_predictions(options.predictions);
  if (predictions && predictions->fit.empty()) {
    fmt::print(stderr, "ulisse: {} does not say which fit it is of, and is taken for one of {}\n",
               options.predictions, options.folder);
  }
  write_report(load_fit(options.folder), options.out, options.predictions);
  fmt::print("{}\n", options.out);
}

}  // namespace

void add_report(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* report =
      app.add_subcommand("report", "Write one HTML file that shows a fit, to open in a browser.");
  report->add_option("folder", options->folder, "The folder that ulisse fit wrote")->required();
  report->add_option("--predictions", options->predictions,
                     "What ulisse predict wrote, to be shown too");
  report->add_option("--out", options->out, "HTML file to write")->capture_default_str();
  report->footer("The file needs nothing else, and no network: it can be kept and sent.");
  report->callback([options] { run(*options); });
}

}  // namespace ulisse::cli
