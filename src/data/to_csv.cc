#include <fmt/format.h>

#include <iterator>

#include "ulisse/dataset.h"

namespace ulisse {

namespace {

std::string quoted(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

// A cell of x: the level of a category, else the shortest text that gives the same bits again.
std::string cell(const Dataset& data, Index row, Index column) {
  const auto k = static_cast<std::size_t>(column);
  const double value = data.x(row, column);
  if (data.levels.empty() || data.levels[k].empty()) return fmt::format("{}", value);
  return quoted(data.levels[k][static_cast<std::size_t>(value)]);
}

}  // namespace

std::string to_csv(const Dataset& data) {
  std::string text;
  for (const std::string& name : data.features) text += quoted(name) + ",";
  text += quoted(data.target) + "\n";
  auto out = std::back_inserter(text);
  for (Index i = 0; i < data.x.rows(); ++i) {
    for (Index k = 0; k < data.x.cols(); ++k) fmt::format_to(out, "{},", cell(data, i, k));
    fmt::format_to(out, "{}\n", data.y(i));
  }
  return text;
}

}  // namespace ulisse
