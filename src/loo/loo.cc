#include "ulisse/loo.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/blas.h"
#include "base/fnv1a.h"
#include "base/memory.h"
#include "base/option_names.h"
#include "fit/fit_contents.h"
#include "fit/read_fit.h"
#include "loo/left_out.h"
#include "loo/pointwise.h"
#include "predict/normal.h"
#include "predict/saved_fit.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

Estimate sum_over_rows(const Vector& x) {
  const auto n = static_cast<double>(x.size());
  const double variance = (x.array() - x.mean()).square().sum() / (n - 1);
  return {x.sum(), std::sqrt(n * variance)};
}

std::string fingerprint_of_targets(const Vector& y) {
  Fnv1a hash;
  hash.add(static_cast<std::uint64_t>(y.size()));
  for (const double value : y) hash.add(value);
  return fmt::format("{:016x}", hash.hash());
}

// Predictions for each draw of psi, (draws, rows).
struct GivenPsi {
  Matrix mean, sd;
};

// As many from each chain, spread over its length; chain after chain.
Matrix chosen_draws(const Fit& fit, Index draws) {
  const auto& chains = fit.contents().chains();
  const auto count = static_cast<Index>(chains.size());
  const Index each = std::min(fit.draws(), std::max<Index>(1, draws / count));
  Matrix psi(each * count, chains[0].theta.cols());
  for (Index c = 0; c < count; ++c) {
    const Matrix& theta = chains[static_cast<std::size_t>(c)].theta;
    psi.middleRows(c * each, each) = spread_draws(theta.topRows(fit.draws()).array().log(), each);
  }
  return psi;
}

void check_options(const LooOptions& options, Index rows) {
  if (options.draws < 1) {
    throw InputError(fmt::format("{} must be at least 1", option_named("draws")));
  }
  const double values = 4 * static_cast<double>(options.draws) * static_cast<double>(rows);
  check_memory(fmt::format("leave-one-out of {} rows with {} draws", rows, options.draws),
               bytes_of(values));
}

GivenPsi predict_left_out(const SavedFit& fit, const Matrix& psi, LeftOutRows& rows,
                          const LooOptions& options) {
  GivenPsi found{Matrix(psi.rows(), fit.data.y.size()), Matrix(psi.rows(), fit.data.y.size())};
  for (Index s = 0; s < psi.rows(); ++s) {
    keep_watch();
    if (options.progress) options.progress(s);
    const LeftOut given = rows.given(psi.row(s).transpose());
    if (!(given.variance.minCoeff() > 0)) {
      throw InputError("a draw's covariance is too close to singular for its inverse");
    }
    found.mean.row(s) = fit.scaling.unscale_y(given.mean).transpose();
    found.sd.row(s) = fit.scaling.y_sd * given.variance.cwiseSqrt().transpose();
  }
  return found;
}

// Row i of all that a Loo has.
void summarise_row(Index i, const GivenPsi& given, Loo& loo) {
  const auto mean = given.mean.col(i).array(), sd = given.sd.col(i).array();
  const Vector z = (loo.observed(i) - mean) / sd;
  loo.log_density.col(i) =
      -0.5 * z.array().square() - sd.log() - 0.5 * std::log(2 * std::numbers::pi);
  const PointwiseLoo found = pointwise_loo(loo.log_density.col(i), loo.chains);
  loo.elpd(i) = found.elpd;
  loo.elpd_mcse(i) = found.mcse;
  loo.p_loo(i) = found.p_loo;
  loo.pareto_k(i) = found.pareto_k;
  loo.relative_ess(i) = found.relative_ess;
  const auto weights = found.weights.array();
  loo.mean(i) = (weights * mean).sum();
  loo.sd(i) = std::sqrt((weights * (sd.square() + (mean - loo.mean(i)).square())).sum());
  loo.below(i) = found.weights.dot(z.unaryExpr(&normal_probability));
}

Loo empty_loo(const Fit& fit, const SavedFit& saved, const Matrix& psi) {
  const Dataset raw = data_of(fit);
  const Index n = raw.y.size();
  Loo loo{.fit = saved.id,
          .target = raw.target,
          .targets = fingerprint_of_targets(raw.y),
          .rows = raw.rows,
          .observed = raw.y,
          .draws = psi.rows(),
          .chains = fit.chains()};
  for (Vector* each : {&loo.mean, &loo.sd, &loo.below, &loo.elpd, &loo.elpd_mcse, &loo.p_loo,
                       &loo.pareto_k, &loo.relative_ess}) {
    each->resize(n);
  }
  loo.log_density.resize(psi.rows(), n);
  const double logarithm = std::log10(static_cast<double>(std::max<Index>(2, psi.rows())));
  loo.good_k = std::min(1 - 1 / logarithm, 0.7);
  return loo;
}

}  // namespace

Estimate Loo::total_elpd() const { return sum_over_rows(elpd); }
Estimate Loo::total_p_loo() const { return sum_over_rows(p_loo); }
Estimate Loo::looic() const { return sum_over_rows(-2 * elpd); }
Index Loo::bad_rows() const { return (pareto_k.array() > good_k).count(); }

Loo loo(const Fit& fit, const LooOptions& options) {
  const SavedFit saved = saved_fit(fit);
  check_options(options, saved.data.y.size());
  const Matrix psi = chosen_draws(fit, options.draws);
  Loo result = empty_loo(fit, saved, psi);
  const auto rows = make_left_out(saved, options);
  const GivenPsi given = predict_left_out(saved, psi, *rows, options);
  parallel_pieces(result.observed.size(), 8, [&](Index start, Index count) {
    for (Index i = start; i < start + count; ++i) summarise_row(i, given, result);
  });
  result.method = rows->name();
  result.elpd_error = rows->elpd_error();
  return result;
}

std::vector<LooDifference> compare(const std::vector<Loo>& fits) {
  std::vector<LooDifference> all;
  for (std::size_t f = 0; f < fits.size(); ++f) {
    if (fits[f].target != fits[0].target) {
      throw InputError(fmt::format("fits of '{}' and of '{}' cannot be compared", fits[0].target,
                                   fits[f].target));
    }
    if (fits[f].targets != fits[0].targets) {
      throw InputError(fmt::format(
          "fits of other rows cannot be compared: number {} has {}, the first has {}, or the same "
          "with other values of '{}'",
          f + 1, fits[f].observed.size(), fits[0].observed.size(), fits[0].target));
    }
    all.push_back({f, fits[f].total_elpd()});
  }
  std::stable_sort(all.begin(), all.end(), [](const LooDifference& a, const LooDifference& b) {
    return a.elpd.value > b.elpd.value;
  });
  for (LooDifference& each : all) {
    each.elpd = sum_over_rows(fits[each.which].elpd - fits[all[0].which].elpd);
  }
  return all;
}

}  // namespace ulisse
