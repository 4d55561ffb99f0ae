// ulisse fit: samples the posterior of a table's covariance parameters.

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/limits.h"
#include "base/printable.h"
#include "command.h"
#include "config_file.h"
#include "data_options.h"
#include "duration.h"
#include "earlier_fit.h"
#include "exit_code.h"
#include "fit/folder_lock.h"
#include "fit/run_fit.h"
#include "fit/sampler_choice.h"
#include "fit/settings_limits.h"
#include "fit/summary.h"
#include "fit_progress.h"
#include "interrupt.h"
#include "options.h"
#include "report/summary_words.h"
#include "store/files.h"
#include "ulisse/error.h"
#include "ulisse/threads.h"

namespace ulisse::cli {

namespace {

struct Options {
  const CLI::App* fit = nullptr;  // which says what was given
  DataOptions data;
  std::string sampler = "auto", preset = "default", out, time_limit;
  bool resume = false, force = false, no_data = false, save_warmup = false, json = false,
       quiet = false;
  int threads = 0;
  std::size_t memory = 0;
  FitSettings given;  // what the user set; only where the option was there
  std::vector<std::pair<CLI::Option*, std::function<void(FitSettings&)>>> overrides;
};

// Of a whole number.
struct Range {
  long least = 0;
  double most = limits::iterations;
};

// An option that replaces what the preset says, when it is given.
template <class T>
void add_setting(CLI::App& app, Options& options, const std::string& name, T& given,
                 const std::function<void(FitSettings&)>& apply, const std::string& description,
                 const Range& range = {}) {
  CLI::Option* option = nullptr;
  if constexpr (std::is_integral_v<T>) {
    option =
        app.add_option(name, given, description)->transform(whole_number(range.least, range.most));
  } else {
    option = app.add_option(name, given, description);
    if constexpr (std::is_same_v<T, double>) option->check(positive());
  }
  options.overrides.emplace_back(option, apply);
}

void add_chain_settings(CLI::App& app, Options& o) {
  FitSettings& g = o.given;
  add_setting(app, o, "--chains", g.chains, [&](FitSettings& s) { s.chains = g.chains; },
              "Chains, started apart from each other; default 4", {1, limits::chains});
  add_setting(
      app, o, "--warmup", g.warmup, [&](FitSettings& s) { s.warmup = g.warmup; },
      "Iterations that are not kept; the most of them for sgld. Default 500 for mh and sgld, 300 "
      "for nuts, for ulisse 300 up to 3,000 rows and 100 beyond");
  add_setting(
      app, o, "--draws", g.draws,
      [&](FitSettings& s) {
        s.draws = g.draws;
        s.sgld.iterations = 0;
      },
      "Draws kept of each chain; with --resume, more of them can be added to a fit. Default 1000 "
      "for mh, 500 for nuts and ulisse, 5000 for sgld",
      {1});
  add_setting(
      app, o, "--seed", g.seed, [&](FitSettings& s) { s.seed = g.seed; },
      "Seed, default 1; the same seed gives the same draws on any number of threads, for one "
      "sampler and "
      "backend",
      {0, 9e15});
  add_setting(
      app, o, "--backend", g.backend, [&](FitSettings& s) { s.backend = g.backend; },
      "Backend of the products, for ulisse and sgld: auto (timed), dense, dense-float, cached, "
      "kdtree, anchors");
  add_setting(
      app, o, "--product-tolerance", g.product_tolerance,
      [&](FitSettings& s) { s.product_tolerance = g.product_tolerance; },
      "kdtree, anchors: error of each value of K, relative to sigma + K");
}

void add_sgld_settings(CLI::App& app, Options& o) {
  SgldSettings& g = o.given.sgld;
  add_setting(app, o, "--probe-count", g.probes,
              [&](FitSettings& s) {
                s.sgld.probes = g.probes;
                s.ulisse.probes = g.probes;
              },
              "ulisse, sgld: probes in a gradient", {1, limits::probes});
  add_setting(
      app, o, "--probes", g.probe_kind, [&](FitSettings& s) { s.sgld.probe_kind = g.probe_kind; },
      "sgld: rademacher or preconditioned");
  add_setting(
      app, o, "--rank", g.rank, [&](FitSettings& s) { s.sgld.rank = s.ulisse.rank = g.rank; },
      "ulisse, sgld: rank of the preconditioner; for ulisse the most, for sgld 0 means none");
  add_setting(
      app, o, "--q", g.q, [&](FitSettings& s) { s.sgld.q = s.ulisse.q = g.q; },
      "ulisse, sgld: solves are cut from |residual| < q |y| on; sgld has sqrt(n) for |y|");
  add_setting(
      app, o, "--truncation", g.truncation,
      [&](FitSettings& s) { s.sgld.truncation = s.ulisse.truncation = g.truncation; },
      "ulisse, sgld: exp(b) or matched; for sgld also none");
  add_setting(
      app, o, "--step-rule", g.step_rule, [&](FitSettings& s) { s.sgld.step_rule = g.step_rule; },
      "sgld: schedule (the paper's) or noise");
  add_setting(
      app, o, "--first-step", g.first_step,
      [&](FitSettings& s) { s.sgld.first_step = g.first_step; },
      "sgld: first step size; the largest, for the rule noise");
  add_setting(
      app, o, "--last-step", g.last_step, [&](FitSettings& s) { s.sgld.last_step = g.last_step; },
      "sgld: step size at the end of the schedule");
  add_setting(app, o, "--schedule", g.schedule,
              [&](FitSettings& s) { s.sgld.schedule = g.schedule; },
              "sgld: iterations of the schedule", {1});
  add_setting(
      app, o, "--noise-ratio", g.noise_ratio,
      [&](FitSettings& s) { s.sgld.noise_ratio = g.noise_ratio; },
      "sgld: the step is frozen when the gradients' noise over the injected is below");
  add_setting(
      app, o, "--noise-from", g.noise_from,
      [&](FitSettings& s) { s.sgld.noise_from = g.noise_from; },
      "sgld: batch (the spread of gradients, the paper's) or probes");
  add_setting(app, o, "--batch", g.batch, [&](FitSettings& s) { s.sgld.batch = g.batch; },
              "sgld: iterations between looks at the noise", {2, limits::batch});
  add_setting(app, o, "--redraw-every", g.redraw_every,
              [&](FitSettings& s) { s.sgld.redraw_every = g.redraw_every; },
              "sgld: iterations for which probes are kept", {1});
  add_setting(app, o, "--subset", g.subset,
              [&](FitSettings& s) { s.sgld.subset = s.ulisse.subset = g.subset; },
              "ulisse, sgld: rows for the first mode, and for sgld's metric", {1});
  add_setting(app, o, "--iterations", g.iterations,
              [&](FitSettings& s) { s.sgld.iterations = g.iterations; },
              "sgld: iterations in all, warm-up included, instead of --draws", {1});
  add_setting(
      app, o, "--warm-start", g.warm_start,
      [&](FitSettings& s) { s.sgld.warm_start = g.warm_start; },
      "sgld: solves start from CG's own iterate at the last iteration, or from the estimate");
  add_setting(
      app, o, "--y-start", g.y_start, [&](FitSettings& s) { s.sgld.y_start = g.y_start; },
      "sgld: the system of y is solved when a chain begins, or starts from zero");
  add_setting(
      app, o, "--longest-drift", g.longest_drift,
      [&](FitSettings& s) { s.sgld.longest_drift = g.longest_drift; },
      "sgld: a step along the gradient is cut to so many standard deviations of the noise "
      "injected; "
      "1e9 cuts none");
}

void add_ulisse_settings(CLI::App& app, Options& o) {
  UlisseSettings& g = o.given.ulisse;
  add_setting(app, o, "--bank", g.bank, [&](FitSettings& s) { s.ulisse.bank = g.bank; },
              "ulisse: probes whose solutions at the mode are kept", {2, limits::probes});
  add_setting(
      app, o, "--step", g.step, [&](FitSettings& s) { s.ulisse.step = g.step; },
      "ulisse: Langevin's step size, also where steps would be exact");
  add_setting(
      app, o, "--trace", g.trace, [&](FitSettings& s) { s.ulisse.trace = g.trace; },
      "ulisse: gradient at the mode by exact (Cholesky), probes, or auto");
  add_setting(
      app, o, "--trace-error", g.trace_error,
      [&](FitSettings& s) { s.ulisse.trace_error = g.trace_error; },
      "ulisse: error of that by probes that is small enough, in posterior sd");
  add_setting(app, o, "--trace-probes", g.trace_probes,
              [&](FitSettings& s) { s.ulisse.trace_probes = g.trace_probes; },
              "ulisse: the most probes for it, where the bank has fewer", {0, limits::probes});
}

std::string default_folder(const std::string& file) {
  if (file == "-") return "stdin-fit";
  std::filesystem::path name = std::filesystem::path(file).filename();
  while (name.has_extension()) name.replace_extension();
  return name.string() + "-fit";
}

// "ulisse, sgld: what it does" belongs to these samplers; a text without a colon to all of them.
void require_sampler(const CLI::Option& option, const std::string& sampler, bool chosen) {
  const std::string& text = option.get_description();
  const std::size_t colon = text.find(": ");
  if (colon == std::string::npos) return;
  const std::string owners = text.substr(0, colon);
  if (owners != "ulisse" && owners != "sgld" && owners != "ulisse, sgld") return;
  if (owners.find(sampler) != std::string::npos) return;
  throw InputError(fmt::format("{} is for the sampler {}, not for {}{}", option.get_name(),
                               owners == "ulisse, sgld" ? "ulisse or sgld" : owners, sampler,
                               chosen ? fmt::format(", which was chosen here; name the sampler, as "
                                                    "by --sampler {}",
                                                    owners.substr(0, owners.find(',')))
                                      : ""));
}

std::string folder_of(const Options& options) {
  if (!options.out.empty()) return options.out;
  if (!options.data.file.empty()) return default_folder(options.data.file);
  throw InputError("--resume: name the folder of the fit as --out, or its table");
}

// Measured costs differ from one time to the next: a fit that goes on keeps its sampler, and all
// other settings that are not given.
FitSettings resumed_settings(const Options& options, const EarlierFit& earlier) {
  FitSettings settings = earlier.settings();
  if (options.sampler != "auto") settings.sampler = options.sampler;
  if (options.fit->get_option("--preset")->count() > 0) settings.preset = options.preset;
  return settings;
}

void apply_given(const Options& options, FitSettings& settings) {
  for (const auto& [option, apply] : options.overrides) {
    if (option->count() == 0) continue;
    require_sampler(*option, settings.sampler, options.sampler == "auto");
    apply(settings);
  }
}

FitRequest request_of(Options options) {
  const std::string out = folder_of(options);
  std::optional<EarlierFit> earlier;
  if (options.resume) earlier.emplace(out).complete(*options.fit, options.data);
  options.data.priors = priors_of(options.preset, options.data.priors);
  auto [raw, model] = earlier ? earlier->load(options.data) : load_raw(options.data);
  if (!options.resume && !options.force) require_no_writer(out);  // the others take the lock first
  if (!options.resume) FitFolder(out).require_free(options.force, raw.source);
  const SamplerChoice choice = [&, &raw = raw, &model = model] {
    if (earlier) return SamplerChoice{.sampler = "", .reason = earlier->sampler_reason()};
    ProgressWatch watch(options.quiet);
    const WatchScope scope(watch);
    return choose_sampler(options.sampler, options.preset, raw, model, options.memory);
  }();
  FitSettings settings = earlier ? resumed_settings(options, *earlier)
                                 : settings_for(choice.sampler, options.preset, raw.x.rows());
  apply_given(options, settings);
  settings.kernel = options.data.kernel;
  settings.priors = options.data.priors;
  settings.standardise = !options.data.no_standardise;
  settings.save_warmup = settings.save_warmup || options.save_warmup;
  check(settings);
  check_sizes(settings, raw.x.rows());
  return {.settings = settings,
          .sampler_reason = choice.reason,
          .model = std::move(model),
          .raw = std::move(raw),
          .out = out,
          .resume = options.resume,
          .force = options.force,
          .keep_data = !options.no_data,
          .separator = separator_of(options.data.separator),
          .header = !options.data.no_header,
          .time_limit = parse_duration("--time-limit", options.time_limit),
          .memory = options.memory};
}

void print_summary(const Options& options, const FitFolder& folder) {
  const FitSummary summary = summarise_fit(folder);
  if (options.json) {
    fmt::print("{}", json_text(summary_json(summary)));
  } else {
    fmt::print("{}\ndraws and settings are in {}\n", printable_lines(to_text(summary)),
               printable(folder.path()));
  }
}

// Whoever interrupts a run does not want to wait for the summary of a million draws.
bool summary_takes_long(const FitFolder& folder) {
  constexpr double kNumbersOfASecond = 200'000;
  const auto json = folder.read_json();
  const double draws = json.value("draws", 0.0) * json.at("settings").at("chains").get<double>();
  return draws * static_cast<double>(json.at("parameters").size()) > kNumbersOfASecond;
}

void end_interrupted(const Options& options, const FitFolder& folder) {
  if (summary_takes_long(folder)) {
    fmt::print(stderr, "interrupted; ulisse summary {} says what the draws so far show\n",
               folder.path());
  } else {
    print_summary(options, folder);
  }
  throw ExitCode(130);
}

void run(const Options& options) {
  set_threads(options.threads);
  const FitRequest request = request_of(options);
  if (!request.sampler_reason.empty() && !options.quiet && !options.json) {
    fmt::print(stderr, "sampler {}: {}\n", request.settings.sampler, request.sampler_reason);
  }
  const InterruptFlag interrupt;
  FitEnd end{};
  {
    FitProgress progress(options.quiet);
    end = run_fit(request, progress, InterruptFlag::raised());
  }
  if (end == FitEnd::not_begun) {
    fmt::print(stderr, "{}: the fit that was to be replaced is as it was\n",
               printable(request.out));
    throw ExitCode(130);
  }
  if (end == FitEnd::was_complete && !options.quiet) {
    fmt::print(stderr, "{}: the fit is complete already; a larger --draws would add draws\n",
               printable(request.out));
  }
  if (end == FitEnd::interrupted) end_interrupted(options, FitFolder(request.out));
  print_summary(options, FitFolder(request.out));
}

// A fit that goes on has its table and its target.
CLI::Option* add_resume(CLI::App& fit, bool& resume) {
  const auto given = [&](std::int64_t count) {
    resume = count > 0;
    if (!resume) return;
    for (const char* name : {"data", "--target"}) fit.get_option(name)->required(false);
  };
  return fit.add_flag_function("--resume", given,
                               "Go on with the fit in the folder, which has its table and all its "
                               "settings: --out is enough");
}

}  // namespace

void add_fit(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* fit = app.add_subcommand(
      "fit", "Sample the posterior of a table's covariance parameters, and keep the draws.");
  options->fit = fit;
  add_config(*fit);
  add_data_options(*fit, options->data);
  add_prior_option(*fit, options->data);
  fit->add_option("--sampler", options->sampler, "ulisse, sgld, mh, nuts, or auto")
      ->capture_default_str();
  fit->add_option("--preset", options->preset,
                  "default, or paper for the settings and priors of the paper")
      ->capture_default_str();
  add_chain_settings(*fit, *options);
  fit->add_option("--out", options->out, "Folder for the draws; default the file's name and -fit")
      ->check(not_empty());
  auto* resume = add_resume(*fit, options->resume);
  fit->add_flag("--force", options->force,
                "Replace the fit in the folder, once the new one's mode is found")
      ->excludes(resume);
  fit->add_flag("--no-data", options->no_data,
                "Keep no copy of the table in the folder: predictions will read the file again");
  fit->add_flag("--save-warmup", options->save_warmup,
                "Keep the iterations of warm-up, too, in warmup_1.csv, ...");
  fit->add_option("--time-limit", options->time_limit,
                  "Stop after 90s, 10m, 1.5h; --resume goes on");
  add_sgld_settings(*fit, *options);
  add_ulisse_settings(*fit, *options);
  add_threads(*fit, options->threads);
  add_memory(*fit, options->memory);
  add_json(*fit, options->json);
  add_quiet(*fit, options->quiet);
  fit->footer(
      "Ctrl-C keeps what has been done, prints the summary and exits with 130; --resume goes on.");
  fit->callback([options] { run(*options); });
}

}  // namespace ulisse::cli
