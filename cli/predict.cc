// ulisse predict: the predictive distribution at new points, averaged over a fit's draws.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/json_text.h"
#include "base/limits.h"
#include "command.h"
#include "data_options.h"
#include "exit_code.h"
#include "fit/finding_json.h"
#include "fit/summary.h"
#include "interrupt.h"
#include "options.h"
#include "out_file.h"
#include "predict/prediction_csv.h"
#include "predict/rows_of_fit.h"
#include "predict/scores.h"
#include "predict_result.h"
#include "progress.h"
#include "report/finding_words.h"
#include "store/files.h"
#include "ulisse/error.h"
#include "ulisse/threads.h"

namespace ulisse::cli {

namespace {

struct Options {
  std::string folder, file, out = "predictions.csv", quantiles = "0.05,0.5,0.95", separator = ",";
  bool no_header = false, new_levels = false, drop_missing = false;
  long draws = 100, samples = 0;
  bool latent = false, components = false, json = false, quiet = false, force = false;

  bool to_standard_output() const { return out == "-"; }
  PredictorOptions predictor;
  int threads = 0;
};

Vector parse_quantiles(const std::string& text) {
  Vector p = parse_numbers("--quantiles", text);
  for (const double each : p) {
    if (!(each > 0 && each < 1)) {
      throw InputError(fmt::format("--quantiles: {:g} does not lie between 0 and 1", each));
    }
  }
  std::sort(p.begin(), p.end());
  p.conservativeResize(std::unique(p.begin(), p.end()) - p.begin());
  return p;
}

Dataset read_new(const Options& options, const SavedFit& fit) {
  Dataset data = read_csv(options.file, {.target = fit.data.target,
                                         .drop_missing = options.drop_missing,
                                         .like = &fit.data,
                                         .new_levels = options.new_levels,
                                         .target_optional = true,
                                         .separator = separator_of(options.separator),
                                         .header = !options.no_header});
  print_notes(data);
  return data;
}

class PredictRun {
 public:
  PredictRun(const Options& options, const SavedFit& fit, const Dataset& data)
      : options_(options),
        fit_(fit),
        data_(data),
        predictor_(make_predictor(fit.model, fit.data.x, fit.data.y, asked_for())) {}

  PredictiveDraws over(const Matrix& psi, const PredictedParts& parts, const std::string& what) {
    return predictive_draws(
        fit_, data_.x, psi, *predictor_, parts, options_.predictor.seed,
        [&](Index draw, Index point) {
          if (InterruptFlag::raised()) throw WorkStopped();
          progress_.show(fmt::format("{}: draw {} of {}, point {} of {}", what, draw + 1,
                                     psi.rows(), point, data_.x.rows()));
        });
  }

  const Predictor& predictor() const { return *predictor_; }

 private:
  PredictorOptions asked_for() const {
    PredictorOptions asked = options_.predictor;
    asked.points = some_rows(fit_.scaling.scale_x(data_.x));
    asked.latent = options_.latent || options_.samples > 0 || options_.components;
    return asked;
  }

  const Options& options_;
  const SavedFit& fit_;
  const Dataset& data_;
  std::unique_ptr<Predictor> predictor_;
  Progress progress_{options_.quiet};
};

void check_out(const Options& options) {
  if (options.to_standard_output()) {
    if (options.json) throw InputError("--out - and --json both go to standard output");
    return;
  }
  if (std::filesystem::path(options.out).extension() == ".gz") {
    throw InputError(fmt::format("--out: {} is not the name of a CSV file", options.out));
  }
  check_out_file(options.out, {.needed = options.file,
                               .what = "the table to predict for",
                               .fit_folder = options.folder,
                               .replace = options.force});
}

// What the columns of components are of.
void describe_components(const SavedFit& fit, PredictResult& result) {
  const bool has_trend = fit.model.mean.size() > 0;
  for (const auto& [name, part] : components_of(fit.model)) {
    const std::string of_trend = has_trend ? "the trend" : "constant: there is no trend";
    result.components.push_back(
        {name, part.trend ? of_trend : fit.terms.at(static_cast<std::size_t>(part.terms[0]))});
  }
  result.one_component = !has_trend && fit.model.kernel.terms.size() == 1;
}

// PredictiveDraws are as good as the draws. Said whatever else is quiet.
void warn_of(const Options& options, const FitSummary& summary) {
  const auto& all = summary.findings;
  const auto worst = std::find_if(all.begin(), all.end(), forbids_use);
  if (worst == all.end()) return;
  fmt::print(stderr,
             "ulisse: the draws of {} cannot be trusted, nor can predictions from them: {}\n",
             options.folder, sentence(*worst, OptionNames::command_line));
}

void write_text(const Options& options, const std::string& text) {
  if (!options.to_standard_output()) return write_atomically(options.out, text);
  std::fputs(text.c_str(), stdout);
}

PredictResult run_predictions(const Options& options) {
  const double start = seconds_now();
  check_out(options);
  const Vector levels = parse_quantiles(options.quantiles);
  const Fit loaded = load_fit(options.folder);
  const SavedFit fit = saved_fit(loaded);
  const FitSummary summary = full_summary(loaded);
  const Dataset data = read_new(options, fit);
  const Matrix psi = spread_draws(fit.psi, options.draws);
  PredictResult result{.file = options.out,
                       .latent = options.latent,
                       .training = fit.data.y.size(),
                       .points = data.x.rows(),
                       .draws = psi.rows()};
  result.findings = summary.findings;
  result.mode_found = summary.mode_converged;
  // Not before: a signal ends the reading of a pipe that nobody writes to.
  const InterruptFlag interrupt;
  PredictRun run(options, fit, data);
  warn_of(options, summary);
  const PredictiveDraws predictions =
      run.over(psi, {.samples = options.samples, .components = options.components}, "predicting");
  if (data.y.size() > 0) {
    // One quantile makes no interval.
    const double from = levels.size() > 1 ? levels(0) : 0.05;
    const double to = levels.size() > 1 ? levels(levels.size() - 1) : 0.95;
    result.scored = true;
    result.known = rows_of_fit(fit, data);
    result.interval = to - from;
    const PointScores averaged = point_scores(predictions, data.y, from, to);
    const PredictiveDraws mode = run.over(fit.mode.transpose(), {}, "predicting with the mode");
    const PointScores at_the_mode = point_scores(mode, data.y, from, to);
    result.scores = mean_scores(averaged);
    result.at_the_mode = mean_scores(at_the_mode);
    result.apart = compare_scores(averaged, at_the_mode);
  }
  const std::string text = to_csv(
      predictions, {.fit = fit.id, .table = data, .levels = levels, .latent = options.latent});
  // Last, so that an interrupt before it has written nothing.
  keep_watch();
  write_text(options, text);
  if (options.components) describe_components(fit, result);
  result.method = run.predictor().name();
  result.variance_error = run.predictor().variance_error();
  result.seconds = seconds_now() - start;
  return result;
}

void run(const Options& options) {
  set_threads(options.threads);
  InterruptWatch watch;
  const WatchScope scope(watch);
  PredictResult result;
  try {
    result = run_predictions(options);
  } catch (const WorkStopped&) {
    fmt::print(stderr, "ulisse: interrupted; nothing was written\n");
    throw ExitCode(130);
  }
  if (options.json) {
    fmt::print("{}", json_text(to_json(result)));
  } else if (!options.to_standard_output()) {
    print_text(result, stdout);
  } else if (!options.quiet) {
    print_text(result, stderr);
  }
}

void add_output(CLI::App& predict, Options& options) {
  predict.add_option("--out", options.out, "CSV file to write; - for standard output")
      ->capture_default_str();
  add_force(predict, options.force);
  add_json(predict, options.json);
  add_quiet(predict, options.quiet);
}

}  // namespace

void add_predict(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* predict =
      app.add_subcommand("predict", "Predict at new points, averaged over the draws of a fit.");
  predict->add_option("folder", options->folder, "The folder that ulisse fit wrote")->required();
  predict
      ->add_option("new", options->file,
                   "A table with the columns of the fit, matched by name; others do not matter")
      ->required();
  add_whole(*predict, "--draws", options->draws, 1, "Draws to use, spread over all chains");
  predict
      ->add_option(
          "--quantiles", options->quantiles,
          "Of the predictive distribution; the outermost two are the interval that is scored, "
          "or 0.05 and 0.95 where there is one only")
      ->capture_default_str();
  predict->add_flag("--latent", options->latent, "Of the function, without the noise");
  predict->add_flag("--components", options->components,
                    "Mean and sd of the trend and of each term of the kernel, too");
  add_whole(*predict, "--samples", options->samples, 0,
            "Samples of the function at all new points together", limits::samples);
  add_output(*predict, *options);
  predict
      ->add_option("--separator", options->separator,
                   "Between the cells of the new table: one character such as ';', or tab")
      ->capture_default_str();
  add_no_header(*predict, options->no_header);
  predict->add_flag("--drop-missing", options->drop_missing,
                    "Leave rows out that have missing cells; the column row says which are there");
  predict->add_flag("--new-levels", options->new_levels,
                    "Predict levels of a category that the fit has not seen, each as one like no "
                    "other");
  predict
      ->add_option(
          "--method", options->predictor.method,
          "exact (Cholesky), float (a factor in float, checked), iterative (conjugate gradients), "
          "neighbours (variances by the nearest rows, checked), or auto")
      ->capture_default_str();
  add_whole(*predict, "--rank", options->predictor.rank, 1,
            "Of the preconditioner of iterative and neighbours, at most");
  add_seed(*predict, options->predictor.seed, "Seed of samples and of pivots");
  add_threads(*predict, options->threads);
  add_memory(*predict, options->predictor.memory);
  predict->footer(
      "Where the new table has the target, predictions are scored. Ctrl-C writes nothing.");
  predict->callback([options] { run(*options); });
}

}  // namespace ulisse::cli
