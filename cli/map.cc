// ulisse map: the mode of the posterior over covariance parameters, by exact Cholesky.

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "base/clock.h"
#include "base/json_text.h"
#include "base/memory.h"
#include "command.h"
#include "data_options.h"
#include "map_report.h"
#include "mode_watch.h"
#include "options.h"
#include "output.h"
#include "ulisse/error.h"
#include "ulisse/exact.h"
#include "ulisse/threads.h"

namespace ulisse::cli {

namespace {

struct Options {
  DataOptions data;
  Index subset = 0;
  std::uint64_t seed = 1;
  int threads = 0;
  bool json = false, quiet = false;
};

struct Rows {
  Matrix x;
  Vector y;
};

Rows chosen_rows(const Dataset& data, const Options& options) {
  const Index n = data.y.size();
  const Indices rows = random_subset(n, options.subset > 0 ? options.subset : n, options.seed);
  return {data.x(rows, Eigen::all), data.y(rows)};
}

// What to do when there is no mode.
std::string advice(const Options& options, const Vector& y) {
  if (y.minCoeff() == y.maxCoeff())
    return fmt::format("the target is {:.10g} in every row, and there is nothing to learn", y(0));
  const std::string scale = options.data.no_standardise ? "leave out --no-standardise, or " : "";
  return scale +
         "state priors on the scale of the data by --prior; --subset shows quickly what helps";
}

// The constructor's only complaint a user can cause is about memory.
ExactPosterior posterior_of(const Model& model, const Rows& rows) {
  try {
    return {model, rows.x, rows.y};
  } catch (const InputError& error) {
    const double fits = std::sqrt(static_cast<double>(available_memory_bytes()) / 2 / 16);
    throw InputError(
        fmt::format("{}; --subset {:.0f} would fit", error.what(), std::floor(fits / 1000) * 1000));
  }
}

Mode mode_of(const Options& options, const Model& model, const Rows& rows) {
  const ExactPosterior posterior = posterior_of(model, rows);
  ModeWatch watch(options.quiet, model.parameter_count());
  const WatchScope scope(watch);
  try {
    return find_mode(posterior, rows.x, rows.y, std::ref(watch));
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}; {}", error.what(), advice(options, rows.y)));
  }
}

std::string message_of(const Options& options, const MapResult& result, const Vector& y) {
  const Mode& mode = result.mode;
  if (!result.is_mode()) return mode.message + "; " + advice(options, y);
  if (!mode.converged) {
    return fmt::format(
        "rounding ended the search about {:.1g} posterior standard deviations from the mode, as "
        "near as it comes with so little noise",
        distance_from_mode(mode));
  }
  if (mode.covariance.size() > 0) return "";
  return "the Hessian here is not negative definite, so there is no covariance: the posterior is "
         "flat or not Gaussian near this point";
}

void print(const MapResult& result, bool json) {
  if (json) {
    fmt::print("{}", json_text(to_json(result)));
  } else {
    print_table(result);
  }
  finish_output();
}

void run(const Options& options) {
  set_threads(options.threads);
  MapResult result{.loaded = load(options.data), .subset = options.subset, .seed = options.seed};
  const Rows rows = chosen_rows(result.loaded.data, options);
  result.rows = rows.y.size();
  const double start = seconds_now();
  result.mode = mode_of(options, result.loaded.model, rows);
  result.seconds = seconds_now() - start;
  result.message = message_of(options, result, rows.y);
  print(result, options.json);
  if (!result.is_mode()) throw std::runtime_error("no mode was found: " + result.message);
  if (!result.message.empty()) fmt::print(stderr, "ulisse: {}\n", result.message);
}

}  // namespace

void add_map(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* map = app.add_subcommand("map", "Find the posterior mode by exact Cholesky.");
  add_data_options(*map, options->data);
  add_prior_option(*map, options->data);
  add_fix_option(*map, options->data);
  add_whole(*map, "--subset", options->subset, 0,
            "Use this many rows, chosen at random; 0 for all. Scaling still uses the whole file");
  add_seed(*map, options->seed, "Seed of the subset");
  add_threads(*map, options->threads);
  add_json(*map, options->json);
  add_quiet(*map, options->quiet);
  map->footer(
      "The exit code is 0, or 1 when no mode was found, or 2 when the input must be mended.");
  map->callback([options] { run(*options); });
}

}  // namespace ulisse::cli
