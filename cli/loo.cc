// ulisse loo and ulisse compare: how well fits predict rows that they have not seen.

#include "ulisse/loo.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/json_text.h"
#include "base/limits.h"
#include "command.h"
#include "exit_code.h"
#include "interrupt.h"
#include "loo_result.h"
#include "options.h"
#include "out_file.h"
#include "progress.h"
#include "store/files.h"
#include "ulisse/error.h"
#include "ulisse/threads.h"

namespace ulisse::cli {

namespace {

struct Options {
  std::vector<std::string> folders;
  std::string out, matrix;
  LooOptions loo;
  long evidence = 0;
  bool json = false, quiet = false, force = false;
  int threads = 0;
};

// With words for progress, "leave-one-out" or "evidence".
LooOptions watched(const Options& options, const std::string& what, Progress& progress) {
  LooOptions asked = options.loo;
  asked.progress = [&progress, what](Index draw) {
    if (InterruptFlag::raised()) throw WorkStopped();
    progress.show(fmt::format("{}: draw {}", what, draw + 1));
  };
  return asked;
}

LooResult run_one(const Options& options, const std::string& folder, Progress& progress) {
  const double start = seconds_now();
  const Fit fit = load_fit(folder);
  LooResult result{.folder = folder, .loo = loo(fit, watched(options, folder, progress))};
  if (options.evidence > 0) {
    LooOptions asked = watched(options, folder + ": evidence", progress);
    asked.draws = options.evidence;
    result.evidence = evidence(fit, asked);
  }
  result.seconds = seconds_now() - start;
  return result;
}

void check_files(const Options& options) {
  for (const std::string& file : {options.out, options.matrix}) {
    if (!file.empty())
      check_out_file(file, {.fit_folder = options.folders[0], .replace = options.force});
  }
}

template <class Work>
void interruptible(const Options& options, const Work& work) {
  set_threads(options.threads);
  const InterruptFlag interrupt;
  InterruptWatch watch;
  const WatchScope scope(watch);
  try {
    work();
  } catch (const WorkStopped&) {
    fmt::print(stderr, "ulisse: interrupted; nothing was written\n");
    throw ExitCode(130);
  }
}

void run_loo(const Options& options) {
  interruptible(options, [&] {
    check_files(options);
    Progress progress(options.quiet);
    const LooResult result = run_one(options, options.folders[0], progress);
    if (!options.out.empty()) write_atomically(options.out, to_csv(result.loo));
    if (!options.matrix.empty()) write_atomically(options.matrix, log_density_csv(result.loo));
    if (options.json) return fmt::print("{}", json_text(to_json(result)));
    print_text(result);
  });
}

void run_compare(const Options& options) {
  interruptible(options, [&] {
    Progress progress(options.quiet);
    std::vector<LooResult> results;
    std::vector<Loo> fits;
    for (const std::string& folder : options.folders) {
      results.push_back(run_one(options, folder, progress));
      fits.push_back(results.back().loo);
      compare(fits);  // what cannot be compared is refused before more work is done
    }
    const std::vector<LooDifference> differences = compare(fits);
    if (options.json) return fmt::print("{}", json_text(to_json(results, differences)));
    print_text(results, differences);
  });
}

void add_loo_options(CLI::App& app, Options& options) {
  add_whole(app, "--draws", options.loo.draws, 5, "Draws to use at most, spread over all chains");
  app.add_option("--method", options.loo.method,
                 "exact (Cholesky), neighbours (solves; variances by the nearest rows, checked), "
                 "or auto")
      ->capture_default_str();
  add_whole(app, "--rank", options.loo.rank, 1, "Of the preconditioner of neighbours, at most");
  add_whole(app, "--evidence", options.evidence, 0,
            "The log evidence, too, by so many proposals as mh makes; 0: not", limits::samples);
  add_seed(app, options.loo.seed, "Seed of proposals, pivots and the rows that are checked");
  add_threads(app, options.threads);
  add_memory(app, options.loo.memory);
  add_json(app, options.json);
  add_quiet(app, options.quiet);
}

}  // namespace

void add_loo(CLI::App& app) {
  auto options = std::make_shared<Options>();
  options->folders.resize(1);
  CLI::App* command =
      app.add_subcommand("loo", "How well a fit predicts each row from all others: leave-one-out.");
  command->add_option("folder", options->folders[0], "The folder that ulisse fit wrote")
      ->required();
  command->add_option("--out", options->out, "CSV file to write, a line for each row");
  command->add_option("--matrix", options->matrix,
                      "CSV file to write: log densities, a line for each draw, for R's loo");
  add_force(*command, options->force);
  add_loo_options(*command, *options);
  command->callback([options] { run_loo(*options); });
}

void add_compare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("compare", "Compare fits of the same rows by leave-one-out.");
  command->add_option("folders", options->folders, "Folders that ulisse fit wrote")
      ->required()
      ->expected(2, 1000);
  add_loo_options(*command, *options);
  command->footer("Fits of other rows or another target are refused. Inputs may differ.");
  command->callback([options] { run_compare(*options); });
}

}  // namespace ulisse::cli
