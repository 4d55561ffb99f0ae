// ulisse fit: samples the posterior of a table's covariance parameters.

#include "ulisse/fit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/printable.h"
#include "command.h"
#include "config_file.h"
#include "data_options.h"
#include "duration.h"
#include "earlier_fit.h"
#include "exit_code.h"
#include "fit/fit_contents.h"
#include "fit/sampler_kind.h"
#include "fit_options.h"
#include "fit_progress.h"
#include "interrupt.h"
#include "option_help.h"
#include "options.h"
#include "ulisse/error.h"
#include "ulisse/threads.h"

namespace ulisse::cli {

namespace {

struct Options {
  const CLI::App* fit = nullptr;  // which says what was given
  DataOptions data;
  std::string sampler = "auto", preset = "default", out, time_limit;
  bool resume = false, force = false, no_data = false, json = false, quiet = false;
  int threads = 0;
  std::size_t memory = 0;
  FitOptionSet settings;
};

std::string default_folder(const std::string& file) {
  if (file == "-") return "stdin-fit";
  std::filesystem::path name = std::filesystem::path(file).filename();
  while (name.has_extension()) name.replace_extension();
  return name.string() + "-fit";
}

std::string folder_of(const Options& options) {
  if (!options.out.empty()) return options.out;
  if (!options.data.file.empty()) return default_folder(options.data.file);
  throw InputError("--resume: name the folder of the fit as --out, or its table");
}

bool is_given(const Options& options, const char* name) {
  return options.fit->get_option(name)->count() > 0;
}

// What the options say of the fit, apart from data and model.
FitOptions asked_for(const Options& options, const DataOptions& data) {
  return {.sampler = options.sampler,
          .preset = options.resume && !is_given(options, "--preset") ? "" : options.preset,
          .settings = options.settings.given(options.sampler),
          .standardise = !data.no_standardise,
          .folder = folder_of(options),
          .resume = options.resume,
          .replace = options.force,
          .keep_data = !options.no_data,
          .separator = separator_of(data.separator),
          .header = !data.no_header,
          .time_limit = parse_duration("--time-limit", options.time_limit),
          .memory = options.memory};
}

Fit make_fit(const Options& options) {
  DataOptions data = options.data;
  std::optional<EarlierFit> earlier;
  if (options.resume) earlier.emplace(folder_of(options)).complete(*options.fit, data);
  data.model.priors = priors_of(options.preset, data.model.priors);
  const FitOptions asked = asked_for(options, data);
  const auto [raw, model] = earlier ? earlier->load(data) : load_raw(data);
  FitDisplay display(options.quiet, options.json);
  return ulisse::fit(raw, model, asked, &display);
}

void print_summary(const Options& options, const Fit& fit) {
  if (options.json) {
    fmt::print("{}", summary_json(fit));
  } else {
    fmt::print("{}\ndraws and settings are in {}\n", printable_lines(summary_text(fit)),
               printable(fit.folder()));
  }
}

// Whoever interrupts a run does not want to wait for the summary of a million draws.
bool summary_takes_long(const Fit& fit) {
  constexpr double kNumbersOfASecond = 200'000;
  const double draws =
      static_cast<double>(fit.contents().record.draws) * static_cast<double>(fit.chains());
  return draws * static_cast<double>(fit.parameters().size()) > kNumbersOfASecond;
}

// Of files that were cut or grew since, the summary says so.
bool has_all_draws(const Fit& fit) {
  const Findings findings = summarise(fit).findings;
  return std::none_of(findings.begin(), findings.end(), [](const Finding& f) {
    return f.code == Finding::Code::chain_cut_short || f.code == Finding::Code::chain_too_long;
  });
}

void end_interrupted(const Options& options, const Fit& fit) {
  if (summary_takes_long(fit)) {
    fmt::print(stderr, "interrupted; ulisse summary {} says what the draws so far show\n",
               fit.folder());
  } else {
    print_summary(options, fit);
  }
  throw ExitCode(130);
}

void run(const Options& options) {
  set_threads(options.threads);
  const InterruptFlag interrupt;
  const Fit fit = make_fit(options);
  if (fit.end() == FitEnd::replaced_nothing) {
    fmt::print(stderr, "{}: the fit that was to be replaced is as it was\n",
               printable(fit.folder()));
    throw ExitCode(130);
  }
  if (fit.end() == FitEnd::was_complete && !options.quiet && has_all_draws(fit)) {
    fmt::print(stderr, "{}: the fit is complete already; a larger --draws would add draws\n",
               printable(fit.folder()));
  }
  if (fit.end() == FitEnd::interrupted) end_interrupted(options, fit);
  print_summary(options, fit);
}

// A fit that goes on has its table and its target.
CLI::Option* add_resume(CLI::App& fit, bool& resume) {
  const auto given = [&](std::int64_t count) {
    resume = count > 0;
    if (!resume) return;
    for (const char* name : {"data", "--target"}) fit.get_option(name)->required(false);
  };
  return fit
      .add_flag_function("--resume", given,
                         "Go on with the fit in the folder, which has its table and all its "
                         "settings: --out is enough")
      ->group(kOutputHeading);
}

void add_output_options(CLI::App& fit, Options& options) {
  fit.add_option("--out", options.out, "Folder for the draws. Default the file's name and -fit")
      ->check(not_empty())
      ->group(kOutputHeading);
  auto* resume = add_resume(fit, options.resume);
  fit.add_flag("--force", options.force,
               "Replace the fit in the folder, once the new one's mode is found")
      ->excludes(resume)
      ->group(kOutputHeading);
  fit.add_flag("--no-data", options.no_data,
               "Keep no copy of the table in the folder: predictions will read the file again")
      ->group(kOutputHeading);
  add_json(fit, options.json)->group(kOutputHeading);
  add_quiet(fit, options.quiet)->group(kOutputHeading);
}

std::string list_of_samplers() {
  std::vector<std::string> names;
  for (const SamplerKind& kind : sampler_kinds()) names.push_back(kind.name);
  return fmt::format("{}, or auto, which chooses by measured time", fmt::join(names, ", "));
}

}  // namespace

void add_fit(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* fit = app.add_subcommand(
      "fit", "Sample the posterior of a table's covariance parameters, and keep the draws.");
  options->fit = fit;
  add_config(*fit)->group(kDataHeading);
  add_data_options(*fit, options->data);
  add_prior_option(*fit, options->data);
  add_fix_option(*fit, options->data);
  fit->add_option("--sampler", options->sampler, "Sampler: " + list_of_samplers())
      ->capture_default_str()
      ->group(kRunHeading);
  fit->add_option("--preset", options->preset,
                  "Settings to begin with: default, or paper for those of the paper, with its "
                  "priors")
      ->capture_default_str()
      ->group(kRunHeading);
  fit->add_option("--time-limit", options->time_limit,
                  "Stop after 90s, 10m, 1.5h; --resume goes on. Default none")
      ->group(kRunHeading);
  add_threads(*fit, options->threads)->group(kRunHeading);
  add_devices(*fit)->group(kRunHeading);
  add_memory(*fit, options->memory)->group(kRunHeading);
  add_output_options(*fit, *options);
  options->settings.add_to(*fit);
  fit->footer(
      "Ctrl-C, or a file `stop` in the folder, keeps what has been done, prints the summary and "
      "exits with 130; --resume goes on.");
  fit->callback([options] { run(*options); });
}

}  // namespace ulisse::cli
