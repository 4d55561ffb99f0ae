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

}  // namespace

std::string to_csv(const Dataset& data) {
  std::string text;
  for (const std::string& name : data.features) text += quoted(name) + ",";
  text += quoted(data.target) + "\n";
  auto out = std::back_inserter(text);
  for (Index i = 0; i < data.x.rows(); ++i) {
    // The shortest text that gives the same bits again.
    for (Index k = 0; k < data.x.cols(); ++k) fmt::format_to(out, "{},", data.x(i, k));
    fmt::format_to(out, "{}\n", data.y(i));
  }
  return text;
}

}  // namespace ulisse
