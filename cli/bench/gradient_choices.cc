#include "gradient_choices.h"

#include <fmt/format.h>

#include <cmath>

#include "base/limits.h"
#include "options.h"
#include "ulisse/error.h"
#include "ulisse/unbiased.h"

namespace ulisse::cli {

namespace {

ProbeKind parse_probes(const std::string& text) {
  if (text == "rademacher") return ProbeKind::rademacher;
  if (text == "preconditioned") return ProbeKind::preconditioned;
  throw InputError(fmt::format("--probes: '{}' is neither rademacher nor preconditioned", text));
}

std::vector<Index> parse_ranks(const std::string& text) {
  std::vector<Index> ranks;
  for (const double rank : parse_numbers("--rank", text)) {
    if (!(rank >= 0 && rank <= limits::iterations) || rank != std::floor(rank)) {
      throw InputError(fmt::format("--rank: {:g} is not a whole number of 0 or more", rank));
    }
    ranks.push_back(static_cast<Index>(rank));
  }
  return ranks;
}

// Of one rule: 0 where nothing is cut.
Vector parse_q(const std::string& text, const std::string& rule) {
  if (rule == "none") return Vector::Zero(1);
  parse_truncation(rule);
  Vector q = parse_numbers("--q", text);
  for (const double each : q) {
    if (!(each > 0)) throw InputError(fmt::format("--q: {:g} is not a positive number", each));
  }
  return q;
}

}  // namespace

std::vector<Choice> choices(const ChoiceOptions& options) {
  std::vector<Choice> all;
  for (const auto& probes : split(options.probes)) {
    const ProbeKind kind = parse_probes(probes);
    for (const Index rank : parse_ranks(options.ranks)) {
      if (kind == ProbeKind::preconditioned && rank == 0) continue;
      for (const auto& rule : split(options.rules)) {
        for (const double q : parse_q(options.q, rule)) all.push_back({kind, rank, q, rule});
      }
    }
  }
  if (all.empty()) throw InputError("--rank: preconditioned probes want one above 0");
  return all;
}

}  // namespace ulisse::cli
