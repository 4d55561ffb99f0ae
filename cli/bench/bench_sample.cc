// ulisse bench sample: samplers on one table, by the time that an independent sample takes.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/memory.h"
#include "base/printable.h"
#include "command.h"
#include "data_options.h"
#include "duration.h"
#include "exit_code.h"
#include "fit/finding_json.h"
#include "fit/sampler_kind.h"
#include "fit/summary.h"
#include "interrupt.h"
#include "options.h"
#include "progress.h"
#include "report/finding_words.h"
#include "ulisse/backend.h"
#include "ulisse/error.h"
#include "ulisse/fit.h"
#include "ulisse/threads.h"

namespace ulisse::cli {

namespace {

struct Options {
  DataOptions data;
  std::string samplers = "mh,nuts,ulisse,sgld,sgld:paper", time_limit = "2m",
              backend = kAutomaticBackend;
  long chains = 4, warmup = 0, draws = 0;
  std::uint64_t seed = 1;
  int threads = 0;
  std::size_t memory = 0;
  bool json = false, quiet = false;
};

// "sgld:paper:q=0.1": a sampler, a preset where it is not the default, and where solves are cut;
// "ulisse:no-surrogate:q=0.1", where steps are Langevin's.
struct Contender {
  std::string name;
  FitOptions options;
};

struct Result {
  std::string name, error;  // of a sampler that could not run
  FitSummary summary;
  double smallest_ess = NAN, worst_rhat = NAN, products = NAN;
  double seconds = NAN;         // for an independent sample
  std::size_t peak_memory = 0;  // of the process so far
};

// Takes ":q=..." off the end of `name`; 0 where there is none.
double take_q(std::string& name) {
  const auto at = name.rfind(":q=");
  if (at == std::string::npos) return 0;
  const Vector q = parse_numbers("--samplers", name.substr(at + 3));
  if (q.size() != 1 || !(q(0) > 0)) {
    throw InputError(fmt::format("--samplers: '{}' has a q that is not a positive number", name));
  }
  name.resize(at);
  return q(0);
}

bool take_no_surrogate(std::string& name) {
  const std::string end = ":no-surrogate";
  const bool found = name.ends_with(end);
  if (found) name.resize(name.size() - end.size());
  return found;
}

Contender contender(const Options& options, const std::string& text) {
  std::string name = text;
  const double q = take_q(name);
  const bool no_surrogate = take_no_surrogate(name);
  const auto colon = name.find(':');
  FitOptions asked{.sampler = name.substr(0, colon),
                   .preset = colon == std::string::npos ? "default" : name.substr(colon + 1),
                   .settings = {{"chains", options.chains},
                                {"seed", static_cast<long>(options.seed)},
                                {"backend", options.backend},
                                {"max_draws", 0L}},
                   .standardise = !options.data.no_standardise,
                   .time_limit = parse_duration("--time-limit", options.time_limit),
                   .memory = options.memory};
  if (asked.sampler == kAutomaticSampler) {
    throw InputError("--samplers: auto is none that could be measured; name the samplers");
  }
  if (options.warmup > 0) asked.settings["warmup"] = options.warmup;
  if (options.draws > 0) asked.settings["draws"] = options.draws;
  if (q > 0) asked.settings["early_stop"] = q;
  if (no_surrogate) asked.settings["no_surrogate"] = true;
  return {text, asked};
}

// Before the first one runs.
void check_contender(const Contender& each, Index n) {
  FitSettings settings = settings_for(each.options.sampler, each.options.preset, n);
  set_options(each.options.settings, settings);
  check(settings);
  check_sizes(settings, n);
}

class Display : public FitObserver {
 public:
  explicit Display(bool quiet) : progress_(quiet) {}
  void begin(const std::string& sampler) { sampler_ = sampler; }
  void stage(const std::string& words) override { progress_.show(sampler_ + ": " + words); }
  void progress(const FitProgress& now) override {
    if (!progress_.is_due()) return;
    stage(now.warming_up ? fmt::format("warm-up, iteration {}", now.iteration)
                         : fmt::format("sampling, draw {}", now.draws));
  }
  bool wants_stop() const override { return InterruptFlag::raised(); }

 private:
  Progress progress_;
  std::string sampler_;
};

void read_off(Result& result) {
  const FitSummary& s = result.summary;
  // ESS of a handful of draws says nothing.
  constexpr long kFewDraws = 20;
  if (s.draws >= kFewDraws) {
    result.seconds = s.seconds_per_independent_sample;
    result.smallest_ess = INFINITY;
    result.worst_rhat = 0;
    for (const auto& p : s.parameters) {
      result.smallest_ess = std::min(result.smallest_ess, p.ess_bulk);
      result.worst_rhat = std::max(result.worst_rhat, p.rhat);
    }
  }
  double sum = 0;
  for (const auto& chain : s.chain_details) sum += chain.products.value_or(NAN);
  result.products = sum / static_cast<double>(s.chain_details.size());
}

Result measure(const Contender& contender, const RawData& raw, Display& display) {
  Result result{.name = contender.name};
  display.begin(contender.name);
  try {
    const Fit made = fit(raw.data, raw.model, contender.options, &display);
    if (made.end() == FitEnd::interrupted) throw ExitCode(130);
    result.summary = full_summary(made);
    read_off(result);
  } catch (const InputError& error) {
    result.error = error.what();  // such as an n too large for an exact likelihood
  }
  result.peak_memory = peak_memory_bytes();
  return result;
}

double best_of(const std::vector<Result>& results) {
  double best = INFINITY;
  for (const Result& r : results) {
    if (r.seconds < best) best = r.seconds;
  }
  return best;
}

nlohmann::ordered_json to_json(const Options& options, const RawData& raw,
                               const std::vector<Result>& results) {
  nlohmann::ordered_json out = {{"n", raw.data.x.rows()},
                                {"d", raw.data.x.cols()},
                                {"kernel", options.data.model.kernel},
                                {"threads", threads()},
                                {"chains", options.chains},
                                {"seed", options.seed},
                                {"samplers", nlohmann::ordered_json::object()}};
  for (const Result& r : results) {
    if (!r.error.empty()) {
      out["samplers"][r.name] = {{"error", r.error}};
      continue;
    }
    out["samplers"][r.name] = {
        {"status", r.summary.status},
        {"draws", r.summary.draws},
        {"warmup", r.summary.warmup},
        {"seconds_setup", r.summary.seconds_setup},
        {"seconds_warmup", r.summary.seconds_warmup},
        {"seconds_sampling", r.summary.seconds_sampling},
        {"smallest_ess_bulk", r.smallest_ess},
        {"worst_rhat", r.worst_rhat},
        {"products_per_iteration", r.products},
        {"seconds_per_independent_sample", r.seconds},
        {"times_the_fastest", r.seconds / best_of(results)},
        {"peak_memory_bytes", r.peak_memory},
        {"warnings", sentences(r.summary.findings, OptionNames::command_line)},
        {"findings", to_json(r.summary.findings)}};
  }
  return out;
}

std::string number_or_dash(const char* format, double value) {
  return std::isfinite(value) ? fmt::format(fmt::runtime(format), value) : "-";
}

void print_table(const Options& options, const RawData& raw, const std::vector<Result>& results) {
  fmt::print(
      "Samplers, n = {}, d = {}, kernel {}, {} chains, {} threads, at most {} each after "
      "set-up\n\n",
      raw.data.x.rows(), raw.data.x.cols(), options.data.model.kernel, options.chains, threads(),
      options.time_limit);
  fmt::print("{:<16} {:>7} {:>7} {:>9} {:>9} {:>10} {:>9} {:>9} {:>7} {:>12} {:>9}\n", "sampler",
             "warm-up", "draws", "set-up s", "warm-up s", "sampling s", "products", "ESS", "R-hat",
             "s/indep.", "x fastest");
  for (const Result& r : results) {
    if (!r.error.empty()) {
      fmt::print("{:<16} {}\n", r.name, printable(r.error));
      continue;
    }
    const FitSummary& s = r.summary;
    fmt::print("{:<16} {:>7} {:>7} {:>9.1f} {:>9.1f} {:>10.1f} {:>9} {:>9} {:>7} {:>12} {:>9}\n",
               r.name, s.warmup, s.draws, s.seconds_setup, s.seconds_warmup, s.seconds_sampling,
               number_or_dash("{:.1f}", r.products), number_or_dash("{:.0f}", r.smallest_ess),
               number_or_dash("{:.3f}", r.worst_rhat), number_or_dash("{:.4g}", r.seconds),
               number_or_dash("{:.1f}", r.seconds / best_of(results)));
  }
  fmt::print(
      "\ndraws: of each chain; ESS: the smallest bulk effective sample size of the parameters, all "
      "chains together; s/indep.: seconds of sampling over it.\n");
  for (const Result& r : results) {
    if (r.worst_rhat > 1.01) {
      fmt::print("{}: R-hat {:.3f}, so that its effective sample size is not to be trusted\n",
                 r.name, r.worst_rhat);
    }
  }
}

void run(const Options& options) {
  set_threads(options.threads);
  parse_duration("--time-limit", options.time_limit);
  const RawData raw = load_raw(options.data);
  std::vector<Contender> contenders;
  for (const auto& name : split(options.samplers)) {
    contenders.push_back(contender(options, name));
    check_contender(contenders.back(), raw.data.x.rows());
  }
  const InterruptFlag interrupt;
  std::vector<Result> results;
  {
    Display display(options.quiet);
    for (const Contender& each : contenders) results.push_back(measure(each, raw, display));
  }
  if (options.json) {
    fmt::print("{}", json_text(to_json(options, raw, results)));
  } else {
    print_table(options, raw, results);
  }
}

}  // namespace

void add_bench_sample(CLI::App& bench) {
  auto options = std::make_shared<Options>();
  CLI::App* app = bench.add_subcommand(
      "sample", "Samplers on one table, by the time that an independent sample takes.");
  add_data_options(*app, options->data);
  add_prior_option(*app, options->data);
  app->add_option(
         "--samplers", options->samplers,
         "Of mh, nuts, ulisse, sgld, one after the other; with :paper for that preset, "
         ":no-surrogate for steps of ulisse without one, and :q=0.1 for the residual at which "
         "solves are cut")
      ->capture_default_str();
  app->add_option("--time-limit", options->time_limit,
                  "For warm-up and sampling of each: 90s, 10m, 1.5h")
      ->capture_default_str();
  add_whole(*app, "--chains", options->chains, 1, "Chains of each sampler");
  add_whole(*app, "--warmup", options->warmup, 0,
            "Iterations of warm-up of each chain; 0: the sampler's own number");
  add_whole(*app, "--draws", options->draws, 0, "Draws of each chain; 0: the sampler's own number");
  add_seed(*app, options->seed, "Seed");
  app->add_option("--backend", options->backend, "Backend of the products, for ulisse and sgld")
      ->capture_default_str();
  add_threads(*app, options->threads);
  add_devices(*app);
  add_memory(*app, options->memory);
  add_json(*app, options->json);
  add_quiet(*app, options->quiet);
  app->callback([options] { run(*options); });
}

}  // namespace ulisse::cli
