#include "fit/bias_budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/json_text.h"

namespace ulisse {

namespace {

using Json = nlohmann::ordered_json;

// null stands for what is not a number.
double number_of(const Json& value) { return value.is_null() ? NAN : value.get<double>(); }

// Mean over chains of the identity's diagonal for parameter j, and the error of that mean.
std::pair<double, double> over_chains(const std::vector<Json>& chains, std::size_t j) {
  double sum = 0, squares = 0;
  const auto count = static_cast<double>(chains.size());
  for (const Json& c : chains) sum += number_of(c.at("stein").at(j)) / count;
  for (const Json& c : chains) squares += std::pow(number_of(c.at("stein").at(j)) - sum, 2);
  return {sum, count > 1 ? std::sqrt(squares / (count * (count - 1))) : NAN};
}

std::string half_the_step(const BiasBudget& b) {
  if (std::isnan(b.step)) return "half the --step";
  return fmt::format("--step {:.2g}, half of what was taken,", b.step / 2);
}

}  // namespace

std::optional<BiasBudget> bias_budget(const Json& setup, const std::vector<Json>& chains) {
  if (!setup.is_object() || chains.empty() || !chains[0].contains("stein")) return std::nullopt;
  BiasBudget b{.anchor = setup.at("trace_error"),
               .bank = setup.value("fresh_probes", false) ? 0 : number_of(setup.at("bank_error")),
               .solver = setup.at("solver_error"),
               .products = number_of(setup.value("product_error", Json(0.0))),
               .exact_anchor = setup.at("trace") == "exact"};
  // The bank's error was measured 1.5 standard deviations from the anchor, where it is 0, and grows
  // in proportion: it changes the curvature, and half of that the standard deviation.
  b.bank_spread = b.bank / 3;
  for (const Json& c : chains) b.step = std::fmin(b.step, number_of(c.value("step_size", Json())));
  bool seen = false;  // one beyond its error
  for (std::size_t j = 0; j < chains[0].at("stein").size(); ++j) {
    const auto [mean, error] = over_chains(chains, j);
    const double off = std::abs(mean - 1) / 2;  // of a standard deviation: half of its variance's
    const bool beyond = off > 3 * error / 2;
    if (beyond < seen || (beyond == seen && off < b.discretisation)) continue;
    seen = beyond;
    b.discretisation = off;
    b.discretisation_error = error / 2;
  }
  return b;
}

Json to_json(const BiasBudget& b) {
  return {{"discretisation", json_number(b.discretisation)},
          {"discretisation_error", json_number(b.discretisation_error)},
          {"anchor_gradient", b.anchor},
          {"probe_bank", b.bank},
          {"probe_bank_spread", b.bank_spread},
          {"solver_tolerance", b.solver},
          {"products", json_number(b.products)}};
}

std::string how_well_known(const BiasBudget& b) {
  if (std::isnan(b.discretisation)) return "too few draws to tell";
  if (std::isfinite(b.discretisation_error)) {
    return fmt::format("measured to +-{:.3f}", b.discretisation_error);
  }
  return "and one chain cannot tell how well that is known";
}

std::string to_text(const BiasBudget& b) {
  return fmt::format(
      "what may be off, in posterior standard deviations:\n"
      "  spread, by steps of finite size     {}\n"
      "  spread, by the bank of probes       {:.3f}\n"
      "  means, by the gradient at the mode  {:.3f} ({})\n"
      "  means, by the bank of probes        {:.3f}\n"
      "  means, by unfinished solves         {:.1e}\n"
      "  means, by inexact products          {:.1e}\n",
      std::isnan(b.discretisation) ? how_well_known(b)
                                   : fmt::format("{:.3f}, {}", b.discretisation, how_well_known(b)),
      b.bank_spread, b.anchor, b.exact_anchor ? "exact" : "averaged over probes", b.bank, b.solver,
      b.products);
}

std::vector<std::string> warnings_of(const BiasBudget& b) {
  std::vector<std::string> texts;
  constexpr double kMuch = 0.1;
  // A few steps that went far astray make both the spread and its error large.
  constexpr double kAstray = 0.5;
  if (b.discretisation > kAstray) {
    texts.push_back(fmt::format(
        "the spread of the draws may be off by {:.0f} % or more: some steps seem to have gone far "
        "astray, and these draws cannot be trusted; take --q 0.05 or {} and compare, "
        "or use --sampler nuts",
        std::min(100.0, 100 * b.discretisation), half_the_step(b)));
    // One chain has no error: then whatever is large is said.
  } else if (b.discretisation > kMuch && !(b.discretisation <= 3 * b.discretisation_error)) {
    texts.push_back(fmt::format(
        "the spread of the draws is off by about {:.0f} % because of the step size; take {} and "
        "compare, or use --sampler nuts",
        100 * b.discretisation, half_the_step(b)));
  }
  if (b.anchor > kMuch) {
    texts.push_back(
        fmt::format("means may be off by {:.2f} posterior standard deviations, since the gradient "
                    "at the mode is "
                    "known no better; take more --trace-probes, or more --memory for an exact one",
                    b.anchor));
  }
  if (!(b.bank <= kMuch)) {
    texts.push_back(
        fmt::format("means may be off by {:.2f} posterior standard deviations for want of probes; "
                    "take a larger "
                    "--bank",
                    b.bank));
  }
  if (b.solver > kMuch) {
    texts.emplace_back(
        "solves at the mode are not accurate enough for this posterior; take --sampler nuts");
  }
  if (!(b.products <= kMuch)) {
    texts.push_back(
        fmt::format("products are not accurate enough for this posterior: means may be off by {} "
                    "posterior standard deviations; take --backend dense, or a smaller "
                    "--product-tolerance",
                    std::isnan(b.products) ? "any number of" : fmt::format("{:.2f}", b.products)));
  }
  return texts;
}

}  // namespace ulisse
