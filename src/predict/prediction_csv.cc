#include "predict/prediction_csv.h"

#include <fmt/format.h>

#include <iterator>

#include "base/watch.h"
#include "data/date.h"

namespace ulisse {

namespace {

// Observations have noise, and nothing to say against a function without it.
bool compares(const PredictionCsv& about) { return about.table.y.size() > 0 && !about.latent; }

// Where rows were left out it counts them, too.
Index row_in_file(const Dataset& table, Index row) {
  return table.rows.empty() ? row + 1 : table.rows[static_cast<std::size_t>(row)];
}

bool is_shown(const Dataset& table, Index column) {
  return !(table.noise_column_missing && table.known_noise->column == column);
}

std::string header(const PredictionCsv& about, const PredictiveDraws& predictions) {
  std::string text = "row";
  for (Index k = 0; k < about.table.x.cols(); ++k) {
    if (!is_shown(about.table, k)) continue;
    const std::string& feature = about.table.features[static_cast<std::size_t>(k)];
    text += fmt::format(",{}", csv_cell(input_column(feature)));
  }
  text += ",mean,sd";
  for (const double p : about.levels) text += fmt::format(",q{:g}", 100 * p);
  if (compares(about)) text += ",observed,below";
  text += ",fit";
  for (const ComponentDraws& component : predictions.components) {
    text += fmt::format(",{0}.mean,{0}.sd", component.name);
  }
  for (Index s = 0; s < predictions.samples.cols(); ++s) text += fmt::format(",sample.{}", s + 1);
  text += '\n';
  return text;
}

}  // namespace

std::string csv_cell(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

std::string input_cell(const Dataset& table, double value, Index column) {
  const auto k = static_cast<std::size_t>(column);
  if (!table.levels.empty() && !table.levels[k].empty()) {
    return csv_cell(table.levels[k][static_cast<std::size_t>(value)]);
  }
  if (!table.first_days.empty() && !table.first_days[k].empty()) {
    return csv::date_after(table.first_days[k], value);
  }
  return fmt::format("{}", value);
}

std::string input_column(const std::string& feature) { return "x." + feature; }

std::string to_csv(const PredictiveDraws& predictions, const PredictionCsv& about) {
  const Matrix numbers = describe(predictions, about.levels, about.latent);
  std::string text = header(about, predictions);
  const auto out = std::back_inserter(text);
  const auto add = [&](double value) { fmt::format_to(out, ",{}", value); };
  for (Index i = 0; i < predictions.points(); ++i) {
    fmt::format_to(out, "{}", row_in_file(about.table, i));
    for (Index k = 0; k < about.table.x.cols(); ++k) {
      if (is_shown(about.table, k))
        fmt::format_to(out, ",{}", input_cell(about.table, about.table.x(i, k), k));
    }
    for (const double value : numbers.row(i)) add(value);
    if (compares(about)) {
      add(about.table.y(i));
      add(predictions.of_target(i).probability_below(about.table.y(i)));
    }
    text += ',';
    text += about.fit;
    for (const ComponentDraws& component : predictions.components) {
      const GaussianMixture mixture = component.at(i);
      add(mixture.mean());
      add(mixture.sd());
    }
    for (Index s = 0; s < predictions.samples.cols(); ++s) {
      if (s % 1000 == 0) keep_watch();
      add(predictions.samples(i, s));
    }
    text += '\n';
  }
  return text;
}

}  // namespace ulisse
