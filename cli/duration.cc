#include "duration.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/limits.h"
#include "ulisse/error.h"

namespace ulisse::cli {

double parse_duration(const std::string& option, const std::string& text) {
  if (text.empty()) return 0;
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  const std::string unit(stopped, end);
  const double factor = unit.empty() || unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  if (error != std::errc() || factor == 0 || !(value > 0) || !std::isfinite(value)) {
    throw InputError(fmt::format("{}: '{}' is no time; write 90s, 10m or 1.5h", option, text));
  }
  if (factor * value > limits::seconds) {
    throw InputError(fmt::format("{}: '{}' is more than a year", option, text));
  }
  return factor * value;
}

}  // namespace ulisse::cli
