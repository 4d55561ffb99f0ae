#include "report/report_data.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numeric>

#include "base/json_text.h"
#include "data/text.h"
#include "fit/finding_json.h"
#include "fit/fit_contents.h"
#include "fit/model_of_fit.h"
#include "fit/sampler_kind.h"
#include "fit/summary.h"
#include "predict/fit_id.h"
#include "report/density.h"
#include "report/finding_words.h"
#include "report/fitted_words.h"
#include "report/verdict.h"
#include "ulisse/diagnose.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

using Json = nlohmann::ordered_json;

// More than a screen can show would only make the file large.
constexpr Index kMostDraws = 10000, kMostPathPoints = 300, kMostPairs = 1500, kMostLags = 100;
constexpr Index kDensityPoints = 200;

// Six digits are more than a plot shows; all of them would make the file three times as long.
double rounded(double value) { return std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr); }

Json number(double value) { return json_number(rounded(value)); }

Json numbers(const ConstVector& values) {
  Json out = Json::array();
  for (const double value : values) out.push_back(number(value));
  return out;
}

Json columns(const ConstBlock& values) {
  Json out = Json::array();
  for (Index j = 0; j < values.cols(); ++j) out.push_back(numbers(values.col(j)));
  return out;
}

// At most `most` of 0, ..., count - 1, evenly spaced, the last among them.
std::vector<Index> spread(Index count, Index most) {
  const Index step = (count + most - 1) / std::max<Index>(1, most);
  std::vector<Index> chosen;
  for (Index i = (count - 1) % std::max<Index>(1, step); i < count; i += step) chosen.push_back(i);
  return chosen;
}

Json running_of(const Matrix& draws) {
  const std::vector<Index> at = spread(draws.rows(), kMostPathPoints);
  const Matrix mean = diagnose::running_mean(draws), sd = diagnose::running_sd(draws);
  return {{"at", at}, {"mean", columns(mean(at, Eigen::all))}, {"sd", columns(sd(at, Eigen::all))}};
}

Json convergence_of(const Matrix& draws) {
  Json at = Json::array(), rhat = Json::array(), psrf = Json::array(), upper = Json::array();
  for (const auto& point : diagnose::psrf_path(draws)) {
    at.push_back(point.last);
    rhat.push_back(number(diagnose::rhat(draws.topRows(point.last))));
    psrf.push_back(number(point.psrf.estimate));
    upper.push_back(number(point.psrf.upper));
  }
  return {{"at", at}, {"rhat", rhat}, {"psrf", psrf}, {"upper", upper}};
}

Json density_of(const Matrix& draws, const StatedPrior& prior) {
  const Vector all = draws.reshaped();
  const Vector grid = density_grid(all, kDensityPoints);
  Matrix chains(grid.size(), draws.cols());
  for (Index c = 0; c < draws.cols(); ++c) chains.col(c) = kernel_density(draws.col(c), grid);
  Vector before(grid.size());
  for (Index g = 0; g < grid.size(); ++g) {
    before(g) = std::exp(prior.log_density_psi(grid(g)).value);
  }
  return {{"x", numbers(grid)},
          {"all", numbers(kernel_density(all, grid))},
          {"chains", columns(chains)},
          {"prior", numbers(before)}};
}

Json autocorrelation_of(const Matrix& draws) {
  Json out = Json::array();
  for (Index c = 0; c < draws.cols(); ++c) {
    out.push_back(numbers(diagnose::autocorrelation(draws.col(c), kMostLags)));
  }
  return out;
}

Json parameter(const std::string& name, const StatedPrior& prior, const Matrix& draws) {
  const std::vector<Index> shown = spread(draws.rows(), kMostDraws);
  return {{"name", name},
          {"prior", prior.to_string() + (prior.data_units ? kInDataUnits : "")},
          {"draws", columns(draws(shown, Eigen::all))},
          {"running", running_of(draws)},
          {"convergence", convergence_of(draws.array().exp().matrix())},  // as in the summary
          {"density", density_of(draws, prior)},
          {"autocorrelation", autocorrelation_of(draws)}};
}

Json correlations_of(const FitDraws& draws) {
  const auto count = static_cast<Index>(draws.theta.size());
  Matrix all(draws.products.size(), count);
  for (Index j = 0; j < count; ++j) {
    all.col(j) = draws.theta[static_cast<std::size_t>(j)].array().log().reshaped();
  }
  all.rowwise() -= all.colwise().mean();
  const Vector length = all.colwise().norm();
  return columns((all.transpose() * all).cwiseQuotient(length * length.transpose()));
}

// Means over stretches of the chain: products differ from one iteration to the next.
Json products_of(const FitDraws& draws) {
  const Index length = std::max<Index>(1, draws.draws() / kMostPathPoints);
  const Index count = draws.draws() / length;
  Matrix mean(count, draws.chains());
  Json at = Json::array();
  for (Index i = 0; i < count; ++i) {
    mean.row(i) = draws.products.middleRows(i * length, length).colwise().mean();
    at.push_back((i + 1) * length - 1);
  }
  return {{"at", at}, {"mean", columns(mean)}};
}

Json sampler_of(const FitRecord& fit, const FitDraws& draws) {
  const std::string& name = fit.settings.sampler;
  Json histories = Json::array();
  for (const ChainRecord& chain : fit.chains) {
    if (chain.history) histories.push_back(to_json(*chain.history));
  }
  Json products;  // of one that follows no gradients, one likelihood each: nothing to see
  const SamplerKind* kind = find_sampler_kind(name);
  if (kind == nullptr || kind->follows_gradients) products = products_of(draws);
  return {{"name", name}, {"warmup", fit.warmup}, {"histories", histories}, {"products", products}};
}

// Points to show, along the input where there is one only, else in the order of rows.
std::vector<Index> points_shown(const PredictionTable& table) {
  std::vector<Index> order(static_cast<std::size_t>(table.points()));
  std::iota(order.begin(), order.end(), Index(0));
  const Vector& along = table.input.size() > 0 ? table.input : table.row;
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return along(a) < along(b); });
  std::vector<Index> shown;
  for (const Index i : spread(table.points(), kMostPairs)) {
    shown.push_back(order[static_cast<std::size_t>(i)]);
  }
  return shown;
}

Json predictions_of(const PredictionTable& table, const std::string& fit) {
  if (!table.fit.empty() && table.fit != fit) {
    throw InputError(
        fmt::format("{}: is of another fit ({}; this one is {}); predict again with this one",
                    table.path, csv::shown(table.fit), fit));
  }
  const std::vector<Index> shown = points_shown(table);
  Json out = {{"points", table.points()},
              {"of_this_fit", !table.fit.empty()},
              {"row", json_numbers(table.row(shown))},
              {"input", nullptr},
              {"levels", table.levels},
              {"mean", numbers(table.mean(shown))},
              {"sd", numbers(table.sd(shown))},
              {"observed", nullptr},
              {"below", nullptr}};
  if (table.input.size() > 0) {
    out["input"] = {{"name", table.input_name},
                    {"values", json_numbers(table.input(shown))},
                    {"dates", table.input_has_dates}};
  }
  if (table.levels.size() > 1) {
    out["low"] = numbers(table.quantiles.col(0)(shown));
    out["high"] = numbers(table.quantiles.col(table.quantiles.cols() - 1)(shown));
  }
  if (table.observed.size() == 0) return out;
  out["observed"] = numbers(table.observed(shown));
  out["rmse"] = number(
      std::sqrt((table.observed - table.mean).squaredNorm() / static_cast<double>(table.points())));
  Json coverage = Json::array();
  for (Index l = 0; l < table.quantiles.cols(); ++l) {
    const auto below = (table.observed.array() <= table.quantiles.col(l).array()).count();
    coverage.push_back(static_cast<double>(below) / static_cast<double>(table.points()));
  }
  out["share_below"] = coverage;
  if (table.below.size() > 0) {
    Vector sorted = table.below;
    std::sort(sorted.begin(), sorted.end());
    out["below"] = numbers(sorted(spread(sorted.size(), kMostPathPoints)));
  }
  return out;
}

// What was fitted, as pairs of a name and a text.
Json about(const FitRecord& fit, const FitSummary& summary) {
  const WhatWasFitted& fitted = summary.fitted;
  Json rows = Json::array();
  const auto add = [&](const char* name, const std::string& text) {
    if (!text.empty()) rows.push_back({name, text});
  };
  const std::string file = fitted.file.empty() ? "" : fitted.file + ": ";  // Python's have none
  add("Data", fmt::format("{}{} rows", file, fitted.rows));
  for (const std::string& note : summary.notes) add("Note", note);
  add("Target", fitted.target);
  add("Inputs", fmt::format("{}", fmt::join(fitted.inputs, ", ")));
  add("Measurement errors", fitted.known_noise);
  add("Scaling",
      fitted.standardised ? "inputs and target standardised; parameters are for these" : "none");
  add("Kernel", fitted.kernel);
  add("Trend", trend_text(fitted));
  add("Fixed", fmt::format("{}", fmt::join(fitted.fixed, ", ")));
  add("Priors", prior_text(fitted));
  add("Sampler",
      fmt::format("{}, preset {}, {} chain{} of {} draws after {} of warm-up, seed {}",
                  summary.sampler, fitted.preset, summary.chains, summary.chains == 1 ? "" : "s",
                  summary.draws, summary.warmup, fitted.seed));
  add("Why this sampler", to_text(fit.sampler_reason));
  add("Status", summary.status);
  std::string time =
      fmt::format("set-up {:.1f} s, warm-up {:.1f} s, sampling {:.1f} s", summary.seconds_setup,
                  summary.seconds_warmup, summary.seconds_sampling);
  if (std::isfinite(summary.seconds_per_independent_sample)) {
    time +=
        fmt::format("; {:.3g} s for an independent sample", summary.seconds_per_independent_sample);
  }
  add("Time", time);
  add("Written by", fmt::format("ulisse {}", fit.version));
  return rows;
}

// "tau.2.day (day in periodic(day,1)*rbf(day))", as the table of the summary has it.
std::string name_of(const std::string& parameter, const std::vector<Belonging>& all,
                    std::size_t place) {
  const std::string of = place < all.size() ? all[place].words() : "";
  return of.empty() ? parameter : fmt::format("{} ({})", parameter, of);
}

Json to_json(const Verdict& verdict) {
  const char* levels[] = {"trust", "caution", "distrust"};
  return {{"level", levels[static_cast<int>(verdict.level)]},
          {"headline", verdict.headline},
          {"reasons", verdict.reasons}};
}

}  // namespace

Json report_data(const Fit& of, const std::optional<PredictionTable>& predictions) {
  const FitRecord& fit = of.contents().record;
  const FitRecord::Data& data = fit.required_data();
  const FitSummary summary = full_summary(of);
  const FitDraws& draws = of.contents().draws();
  const Model model = model_of(fit);
  Json parameters = Json::array();
  for (std::size_t j = 0; draws.draws() > 0 && j < fit.parameters.size(); ++j) {
    parameters.push_back(parameter(name_of(fit.parameters[j].name, summary.belonging, j),
                                   model.layout.at(static_cast<Index>(j)).prior,
                                   draws.theta[j].array().log()));
  }
  const Json totals = to_json(summary);
  const std::string file = std::filesystem::path(data.file).filename().string();
  return {{"title", file.empty() ? data.target : fmt::format("{} of {}", data.target, file)},
          {"about", about(fit, summary)},
          {"verdict", to_json(verdict_of(summary))},
          {"warnings", sentences(summary.findings, OptionNames::command_line)},
          {"findings", to_json(summary.findings)},
          {"summary",
           {{"quantities", totals.at("quantities")},
            {"natural", totals.at("parameters")},
            {"log", totals.at("log_parameters")}}},
          {"draws", draws.draws()},
          {"chains", draws.chains()},
          {"shown", spread(draws.draws(), kMostDraws)},
          {"parameters", parameters},
          {"correlations", draws.draws() > 0 ? correlations_of(draws) : Json::array()},
          {"sampler", draws.draws() > 0 ? sampler_of(fit, draws) : Json()},
          {"predictions",
           predictions ? predictions_of(*predictions, fit_id(of.contents().json)) : Json()}};
}

}  // namespace ulisse
