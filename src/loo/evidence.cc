#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/watch.h"
#include "diagnose/pareto_smoothing.h"
#include "fit/fit_contents.h"
#include "predict/saved_fit.h"
#include "sample/metropolis.h"
#include "ulisse/error.h"
#include "ulisse/exact.h"
#include "ulisse/loo.h"
#include "ulisse/second_mode.h"

namespace ulisse {

namespace {

// As the sampler mh makes them.
ModeProposals proposals_of(const Fit& fit, const ExactPosterior& posterior) {
  const FitRecord& record = fit.contents().record;
  const auto& mode = record.required_mode();
  if (record.metric.rows() != mode.psi.size() || !record.metric.allFinite()) {
    throw InputError(
        fmt::format("{}: there is no covariance around the mode for the proposals of the evidence",
                    fit.contents().place()));
  }
  std::optional<SecondMode> second;
  if (mode.other_share >= kMinModeShare && mode.other_psi.size() > 0) {
    second = {.psi = mode.other_psi,
              .covariance = covariance_around(posterior, mode.other_psi).value_or(record.metric),
              .share = mode.other_share};
  }
  return {mode.psi, record.metric, MetropolisOptions().degrees_of_freedom, second};
}

}  // namespace

// p(y) = E[p(y | psi) p(psi) / q(psi)] over psi ~ q.
Evidence evidence(const Fit& fit, const LooOptions& options) {
  const SavedFit saved = saved_fit(fit);
  const ExactPosterior posterior(saved.model, saved.data.x, saved.data.y);
  const ModeProposals proposals = proposals_of(fit, posterior);
  Rng rng = stream(options.seed, 0, Purpose::simulation, 0);
  Vector log_ratio(options.draws);
  for (Index s = 0; s < options.draws; ++s) {
    keep_watch();
    if (options.progress) options.progress(s);
    const Vector psi = proposals.draw(rng);
    const LogDensity density = posterior.log_density(psi);
    log_ratio(s) = density.rejected() ? -std::numeric_limits<double>::infinity()
                                      : density.value - proposals.normalised_log_density(psi);
  }
  const auto draws = static_cast<double>(options.draws);
  const double log_mean = diagnose::log_sum_exp(log_ratio) - std::log(draws);
  const Vector ratio = (log_ratio.array() - log_mean).exp();
  const double variance = (ratio.array() - 1).square().sum() / (draws - 1);
  // Of the target as it is: its density is that of the scaled one over the scale, for each row.
  const double scale = static_cast<double>(saved.data.y.size()) * std::log(saved.scaling.y_sd);
  return {.log = {log_mean - scale, std::sqrt(variance / draws)},
          .pareto_k = diagnose::pareto_smoothed(log_ratio).k,
          .draws = options.draws};
}

}  // namespace ulisse
