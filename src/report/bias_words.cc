#include "report/bias_words.h"

#include <fmt/format.h>

#include <cmath>

namespace ulisse {

std::string how_well_known(const BiasBudget& b) {
  if (std::isnan(b.discretisation)) return "unknown: too few draws";
  if (std::isfinite(b.discretisation_error)) {
    return fmt::format("standard error {:.3f}", b.discretisation_error);
  }
  return "standard error unknown: one chain";
}

std::string to_text(const BiasBudget& b) {
  const std::string first =
      b.surrogate
          ? fmt::format("  of means and sd, by the surrogate            {:.3f} (certified)\n",
                        *b.surrogate)
          : fmt::format("  of standard deviations, by the step size     {}\n",
                        std::isnan(b.discretisation)
                            ? how_well_known(b)
                            : fmt::format("{:.3f} ({})", b.discretisation, how_well_known(b)));
  return fmt::format(
      "bias, at most, in posterior standard deviations:\n"
      "{}"
      "  of standard deviations, by the anchor probes {:.3f}\n"
      "  of means, by the gradient at the mode        {:.3f} ({})\n"
      "  of means, by the anchor probes               {:.3f}\n"
      "  of means, by the tolerance of solves         {:.1e}\n"
      "  of means, by inexact products                {:.1e}\n",
      first, b.bank_spread, b.anchor, b.exact_anchor ? "exact" : "averaged over probes", b.bank,
      b.solver, b.products);
}

}  // namespace ulisse
