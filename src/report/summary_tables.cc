#include "report/summary_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/printable.h"
#include "model/quantities.h"

namespace ulisse {

namespace {

using Rows = std::vector<diagnose::ParameterSummary>;

// The length scales of tables with many inputs are for programs.
constexpr std::size_t kMostLengthScales = 20;

std::size_t width_of(const std::string& title, const Rows& rows) {
  std::size_t width = title.size();
  for (const auto& row : rows) width = std::max(width, row.name.size());
  return width;
}

// What is fixed has none.
std::string diagnostic(double value, const char* form) {
  return std::isnan(value) ? "-" : fmt::format(fmt::runtime(form), value);
}

// Marked where it is by control variates.
std::string error_of_mean(const diagnose::ParameterSummary& p) {
  return diagnostic(p.mcse, "{:.3g}") + (p.of_draws ? "*" : " ");
}

std::string header(const std::string& title, std::size_t width) {
  return fmt::format("{:<{}} {:>11} {:>11} {:>10} {:>11} {:>11} {:>11} {:>9} {:>9} {:>7}\n", title,
                     width, "mean", "sd", "mcse", "5%", "50%", "95%", "ess bulk", "ess tail",
                     "R-hat");
}

std::string line(const diagnose::ParameterSummary& p, std::size_t width, const std::string& words) {
  return fmt::format(
      "{:<{}} {:>11.5g} {:>11.5g} {:>11}{:>11.5g} {:>11.5g} {:>11.5g} {:>9} {:>9} {:>7}{}\n",
      p.name, width, p.mean, p.sd, error_of_mean(p), p.q5, p.q50, p.q95,
      diagnostic(p.ess_bulk, "{:.0f}"), diagnostic(p.ess_tail, "{:.0f}"),
      diagnostic(p.rhat, "{:.3f}"), words.empty() ? "" : "  " + words);
}

std::string words_of(const std::vector<Belonging>& belonging, std::size_t row) {
  return row < belonging.size() ? printable(belonging[row].words()) : "";
}

std::string table_of_quantities(const FitSummary& s, std::size_t width, OptionNames names) {
  std::string text = header("in the table's units", width);
  std::size_t length_scales = 0;
  for (std::size_t q = 0; q < s.quantities.size(); ++q) {
    const bool is_length_scale = names_length_scale(s.quantities[q].name);
    if (is_length_scale && ++length_scales > kMostLengthScales) continue;
    text += line(s.quantities[q], width, words_of(s.quantity_belonging, q));
  }
  if (length_scales > kMostLengthScales) {
    text += fmt::format("and {} more length scales, which {} has\n",
                        length_scales - kMostLengthScales, option_named("json", names));
  }
  return text + "\n";
}

// How much larger errors of means are without.
std::string about_controls(const FitSummary& s) {
  double least = INFINITY, most = 0;
  for (const Rows* rows : {&s.quantities, &s.parameters}) {
    for (const auto& row : *rows) {
      if (!row.of_draws) continue;
      const double ratio = row.of_draws->mcse / row.mcse;
      least = std::min(least, ratio);
      most = std::max(most, ratio);
    }
  }
  if (most == 0) return "";
  return fmt::format(
      "* mean and sd by control variates: the standard error of the mean of the draws alone is {} "
      "times as large; bias is not part of it\n",
      most < least + 0.1 ? fmt::format("{:.1f}", most)
                         : fmt::format("{:.1f} to {:.1f}", least, most));
}

}  // namespace

std::string summary_tables(const FitSummary& s, OptionNames names) {
  const std::size_t width =
      std::max(width_of("in the table's units", s.quantities), width_of("parameter", s.parameters));
  std::string text;
  if (!s.quantities.empty()) text += table_of_quantities(s, width, names);
  text += header("parameter", width);
  for (std::size_t j = 0; j < s.parameters.size(); ++j) {
    text += line(s.parameters[j], width, words_of(s.belonging, j));
  }
  return text + about_controls(s);
}

}  // namespace ulisse
