// ulisse summary: what a fit's folder says about the posterior.

#include "fit/summary.h"

#include <fmt/format.h>

#include "base/json_text.h"
#include "base/printable.h"
#include "command.h"
#include "options.h"
#include "report/summary_words.h"

namespace ulisse::cli {

namespace {

struct Options {
  std::string folder;
  bool json = false;
};

void run(const Options& options) {
  const FitSummary summary = summarise_fit(FitFolder(options.folder));
  if (options.json) {
    fmt::print("{}", json_text(summary_json(summary)));
  } else {
    fmt::print("{}", printable_lines(to_text(summary)));
  }
}

}  // namespace

void add_summary(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* summary = app.add_subcommand("summary", "Posterior summary and warnings of a fit.");
  summary->add_option("folder", options->folder, "The folder that ulisse fit wrote")->required();
  add_json(*summary, options->json);
  summary->callback([options] { run(*options); });
}

}  // namespace ulisse::cli
