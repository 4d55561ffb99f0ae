#include <fmt/format.h>

#include <iterator>

#include "base/watch.h"
#include "ulisse/loo.h"

namespace ulisse {

namespace {

Index row_in_file(const Loo& loo, Index row) {
  return loo.rows.empty() ? row + 1 : loo.rows[static_cast<std::size_t>(row)];
}

}  // namespace

std::string to_csv(const Loo& loo) {
  std::string text =
      "row,observed,mean,sd,below,elpd_loo,mcse_elpd_loo,p_loo,looic,pareto_k,r_eff,fit\n";
  for (Index i = 0; i < loo.observed.size(); ++i) {
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{},{},{},{},{}\n",
                   row_in_file(loo, i), loo.observed(i), loo.mean(i), loo.sd(i), loo.below(i),
                   loo.elpd(i), loo.elpd_mcse(i), loo.p_loo(i), -2 * loo.elpd(i), loo.pareto_k(i),
                   loo.relative_ess(i), loo.fit);
  }
  return text;
}

std::string log_density_csv(const Loo& loo) {
  std::string text = "chain";
  for (Index i = 0; i < loo.observed.size(); ++i) {
    text += fmt::format(",row.{}", row_in_file(loo, i));
  }
  text += '\n';
  for (Index s = 0; s < loo.draws; ++s) {
    keep_watch();
    text += fmt::format("{}", 1 + s / (loo.draws / loo.chains));
    for (const double value : loo.log_density.row(s)) {
      fmt::format_to(std::back_inserter(text), ",{}", value);
    }
    text += '\n';
  }
  return text;
}

}  // namespace ulisse
