#include "loo_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/printable.h"

namespace ulisse::cli {

namespace {

using Json = nlohmann::ordered_json;

// From here on a row's estimate says nothing.
constexpr double kVeryBad = 1;

Json to_json(const Estimate& estimate) {
  return {{"value", json_number(estimate.value)}, {"se", json_number(estimate.error)}};
}

Index very_bad_rows(const Loo& loo) { return (loo.pareto_k.array() > kVeryBad).count(); }

std::string bad_rows_in_words(const Loo& loo) {
  const Index bad = loo.bad_rows();
  if (bad == 0) {
    return fmt::format("k-hat is at most {:.2f} in all rows: all estimates are reliable.",
                       loo.pareto_k.maxCoeff());
  }
  return fmt::format(
      "k-hat is above {:.2f} in {} of {} rows (above 1 in {}), whose elpd is not reliable: more "
      "draws may help, or a fit without them.",
      loo.good_k, bad, loo.pareto_k.size(), very_bad_rows(loo));
}

void print_evidence(const Evidence& evidence) {
  fmt::print("{:<14} {:>12.2f} {:>9.2g}   {} proposals, k-hat {:.2f}\n", "log evidence",
             evidence.log.value, evidence.log.error, evidence.draws, evidence.pareto_k);
}

void print_estimate(const char* name, const Estimate& estimate) {
  fmt::print("{:<14} {:>12.2f} {:>9.2f}\n", name, estimate.value, estimate.error);
}

std::size_t longest_name(const std::vector<LooResult>& results) {
  std::size_t longest = 3;
  for (const LooResult& each : results) longest = std::max(longest, each.folder.size());
  return longest;
}

}  // namespace

Json to_json(const LooResult& result) {
  const Loo& loo = result.loo;
  Json out = {{"folder", result.folder},
              {"fit", loo.fit},
              {"target", loo.target},
              {"rows", loo.observed.size()},
              {"draws", loo.draws},
              {"method", loo.method},
              {"elpd_loo", to_json(loo.total_elpd())},
              {"elpd_error", json_number(loo.elpd_error)},
              {"p_loo", to_json(loo.total_p_loo())},
              {"looic", to_json(loo.looic())},
              {"good_k", loo.good_k},
              {"rows_above_good_k", loo.bad_rows()},
              {"largest_k", json_number(loo.pareto_k.maxCoeff())},
              {"log_evidence", nullptr},
              {"seconds", result.seconds}};
  if (result.evidence) {
    out["log_evidence"] = to_json(result.evidence->log);
    out["log_evidence"]["pareto_k"] = json_number(result.evidence->pareto_k);
    out["log_evidence"]["draws"] = result.evidence->draws;
  }
  return out;
}

void print_text(const LooResult& result) {
  const Loo& loo = result.loo;
  fmt::print("leave-one-out of {} rows, {} draws, {}, {:.1f} s\n\n", loo.observed.size(), loo.draws,
             loo.method, result.seconds);
  fmt::print("{:<14} {:>12} {:>9}\n", "", "estimate", "se");
  print_estimate("elpd_loo", loo.total_elpd());
  print_estimate("p_loo", loo.total_p_loo());
  print_estimate("looic", loo.looic());
  if (result.evidence) print_evidence(*result.evidence);
  fmt::print(
      "\nelpd_loo: log predictive density of each row given all others, summed, in the units of "
      "the target; larger is better. p_loo: effective number of parameters. looic: -2 elpd_loo.\n"
      "{}\n",
      bad_rows_in_words(loo));
  if (loo.elpd_error > 0) {
    fmt::print(
        "Variances by the nearest rows put elpd_loo off by at most {:.2g}, as found by solves at "
        "some rows for each draw.\n",
        loo.elpd_error);
  }
}

Json to_json(const std::vector<LooResult>& results, const std::vector<LooDifference>& differences) {
  Json all = Json::array();
  for (const LooDifference& each : differences) {
    Json one = to_json(results[each.which]);
    one["elpd_diff"] = to_json(each.elpd);
    all.push_back(std::move(one));
  }
  return {{"fits", all}};
}

void print_text(const std::vector<LooResult>& results,
                const std::vector<LooDifference>& differences) {
  const std::size_t width = longest_name(results);
  fmt::print("{:<{}} {:>10} {:>8} {:>12} {:>8} {:>8} {:>8}\n", "fit", width, "elpd_diff", "se_diff",
             "elpd_loo", "se", "p_loo", "bad k");
  for (const LooDifference& each : differences) {
    const LooResult& result = results[each.which];
    const Estimate elpd = result.loo.total_elpd();
    fmt::print("{:<{}} {:>10.2f} {:>8.2f} {:>12.2f} {:>8.2f} {:>8.2f} {:>8}\n",
               printable(result.folder), width, each.elpd.value, each.elpd.error, elpd.value,
               elpd.error, result.loo.total_p_loo().value, result.loo.bad_rows());
  }
  for (const LooResult& each : results) {
    if (each.evidence) {
      fmt::print("log evidence of {}: {:.2f}, se {:.2g}, k-hat {:.2f}\n", printable(each.folder),
                 each.evidence->log.value, each.evidence->log.error, each.evidence->pareto_k);
    }
  }
  fmt::print(
      "\nThe best is first; the others are less by elpd_diff. A difference below 4, or within some "
      "two of its standard errors, says that the fits predict about equally well.\n");
}

}  // namespace ulisse::cli
