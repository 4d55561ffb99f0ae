#include <fmt/format.h>

#include <algorithm>

#include "fit/judge_fit.h"

namespace ulisse {

namespace {

using Code = Finding::Code;
using Change = Finding::Remedy::Change;

const Finding::Remedy kResume{"resume", Change::set, {}}, kForce{"force", Change::set, {}};

void judge_status(const FitSummary& s, Findings& findings) {
  const bool running = s.status == "running";
  if (s.draws == 0) {
    Finding none{.code = Code::no_draws,
                 .values = {{"status", s.status},
                            {"stage", s.in_setup ? "set-up" : "warm-up"},
                            {"iterations", double(s.warmup)}}};
    if (!running) none.remedies = {kResume};
    findings.push_back(std::move(none));
  } else if (running) {
    findings.push_back({.code = Code::running});
  } else if (s.status != "complete") {
    findings.push_back(
        {.code = Code::incomplete, .values = {{"status", s.status}}, .remedies = {kResume}});
  }
  if (s.chains == 1 && s.draws > 0) {
    findings.push_back({.code = Code::one_chain, .remedies = {{"chains", Change::set, 4.0}}});
  }
}

// What was written by one run has one length. While a fit runs, and where a kill ended it, the
// files are as they come.
void judge_lengths(const FitSummary& s, Findings& findings) {
  if (s.lengths.empty()) return;
  const auto shortest = std::min_element(s.lengths.begin(), s.lengths.end());
  const auto longest = std::max_element(s.lengths.begin(), s.lengths.end());
  const bool ended = s.status == "complete" || s.status == "interrupted";
  const long expected =
      s.announced_draws > 0 || !ended ? s.announced_draws : static_cast<long>(*longest);
  const auto finding = [&](Code code, auto chain) {
    return Finding{.code = code,
                   .values = {{"file", fmt::format("chain_{}.csv", chain - s.lengths.begin() + 1)},
                              {"draws", double(*chain)},
                              {"expected", double(expected)}},
                   .remedies = {kForce}};
  };
  if (*shortest < expected) findings.push_back(finding(Code::chain_cut_short, shortest));
  if (ended && *longest > expected) findings.push_back(finding(Code::chain_too_long, longest));
}

}  // namespace

void judge_run(const FitSummary& s, Findings& findings) {
  judge_status(s, findings);
  judge_lengths(s, findings);
}

}  // namespace ulisse
