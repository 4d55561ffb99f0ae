#include "format.h"

#include <fmt/format.h>

#include <cmath>

namespace ulisse::cli {

std::string counted(long count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string fixed(double value, int digits) {
  if (std::abs(value) >= 1e9) return fmt::format("{:.10g}", value);
  const double smallest = 0.5 * std::pow(10, -digits);
  return fmt::format("{:.{}f}", std::abs(value) < smallest ? 0 : value, digits);
}

// The nudge undoes the rounding of the division for a value of three digits.
std::string cut(double positive) {
  if (!(positive > 0) || !std::isfinite(positive)) return fmt::format("{:.2e}", positive);
  const double unit = std::pow(10, std::floor(std::log10(positive)) - 2);
  return fmt::format("{:.2e}", std::floor(positive / unit * (1 + 1e-12)) * unit);
}

std::string duration(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 100 * 60) return fmt::format("{:.0f} minutes", seconds / 60);
  return fmt::format("{:.1f} hours", seconds / 3600);
}

}  // namespace ulisse::cli
