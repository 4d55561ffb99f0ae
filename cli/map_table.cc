#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/printable.h"
#include "format.h"
#include "map_report.h"

namespace ulisse::cli {

namespace {

std::string rows_of(const MapResult& result) {
  const Index n = result.loaded.data.y.size();
  if (result.rows < n)
    return fmt::format("{} of {}, seed {}", result.rows, counted(n, "row"), result.seed);
  if (result.subset <= n) return counted(n, "row");
  return fmt::format("all {} (--subset {} is more)", counted(n, "row"), result.subset);
}

void print_head(const MapResult& result) {
  const LoadedData& loaded = result.loaded;
  fmt::print("{} psi = log(theta), kernel {}, {}, {}\n\n",
             result.is_mode() ? "Mode of the posterior in"
                              : "NOT a mode, only where a failed search for one ended:",
             loaded.model.given.kernel, rows_of(result), counted(loaded.data.x.cols(), "input"));
}

// As wide as its longest entry and its title; the titles of columns without entries are left out.
std::size_t width_of(const std::vector<std::string>& entries, std::size_t title) {
  std::size_t width = 0;
  for (const std::string& entry : entries) width = std::max(width, entry.size());
  return width == 0 ? 0 : std::max(width, title) + 2;
}

}  // namespace

void print_table(const MapResult& result) {
  const Mode& mode = result.mode;
  const Layout& layout = result.loaded.model.layout;
  const auto names = layout.names();
  std::vector<std::string> inputs;
  for (std::size_t i = 0; i < names.size(); ++i)
    inputs.push_back(printable(result.loaded.input_of(i)));
  const std::size_t width = width_of(inputs, 5);
  print_head(result);
  fmt::print("{:<10} {:<{}}{:>12} {:>12} {:>12}   {}\n", "parameter", width > 0 ? "input" : "",
             width, "theta", "psi", "sd of psi", "prior");
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto at = static_cast<Index>(i);
    const bool has_sd = mode.covariance.size() > 0;
    fmt::print("{:<10} {:<{}}{:>12.5g} {:>12} {:>12}   {}\n", names[i], inputs[i], width,
               std::exp(mode.psi(at)), fixed(mode.psi(at)),
               has_sd ? fixed(std::sqrt(mode.covariance(at, at))) : "-",
               layout.at(at).prior.to_string());
  }
  fmt::print("\nlog posterior {}; {} in {:.2f} s\n", fixed(mode.log_density),
             counted(mode.evaluations, "evaluation"), result.seconds);
  if (mode.other_share < 0.01) return;
  std::vector<std::string> other;
  for (std::size_t i = 0; i < names.size(); ++i) {
    other.push_back(
        fmt::format("{} = {:.5g}", names[i], std::exp(mode.other_psi(static_cast<Index>(i)))));
  }
  fmt::print("There is another mode, at {}; about {:.0f} % of the posterior is not here.\n",
             fmt::join(other, ", "), 100 * mode.other_share);
}

}  // namespace ulisse::cli
