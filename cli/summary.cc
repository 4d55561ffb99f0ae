// ulisse summary: what a fit's folder says about the posterior.

#include <fmt/format.h>

#include "base/printable.h"
#include "command.h"
#include "options.h"
#include "ulisse/fit.h"

namespace ulisse::cli {

namespace {

struct Options {
  std::string folder;
  bool json = false;
};

void run(const Options& options) {
  const Fit fit = load_fit(options.folder);
  if (options.json) {
    fmt::print("{}", summary_json(fit));
  } else {
    fmt::print("{}", printable_lines(summary_text(fit)));
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
