#include "fit/anchor_trace.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "ulisse/fast_solves.h"
#include "ulisse/whitened.h"

namespace ulisse {

void AnchorTrace::believe(const Matrix& metric) {
  if (exact_is_wanted()) make_exact();
  if (!out_.anchor.exact_trace) consider_controls(metric.llt().matrixL());
  refine(metric);
}

// Also where K is not positive definite for Cholesky.
void AnchorTrace::refine(const Matrix& metric) {
  const Matrix factor = metric.llt().matrixL();
  while (error(factor) > work_.settings.trace_error &&
         out_.anchor.trace_probes < work_.settings.trace_probes) {
    work_.watch(
        fmt::format("averaging the gradient at the mode, {} of at most {} probes, error {:.2g} sd "
                    "on its way to "
                    "{:.2g}",
                    out_.anchor.trace_probes, work_.settings.trace_probes, error(factor),
                    work_.settings.trace_error));
    refine_trace(work_.working(), out_.anchor, 32, rng_, work_.cg);
  }
  out_.trace_error = error(factor);
}

bool AnchorTrace::exact_is_wanted() const {
  const auto n = static_cast<std::size_t>(work_.rows());
  const bool fits = n * n * sizeof(double) + work_.covariance.kept_bytes() <= work_.memory &&
                    work_.rows() <= SetupWork::kExactTraceRows;
  return work_.settings.trace == "exact" || (work_.settings.trace == "auto" && fits);
}

// The gradient is fit - trace + prior, and the fit needs y's solution alone.
void AnchorTrace::make_exact() {
  work_.watch("computing the exact gradient at the mode");
  Anchor& a = out_.anchor;
  const LogDensity exact =
      ExactPosterior(work_.model, work_.data.x, work_.data.y).log_density_and_gradient(a.psi);
  if (exact.rejected()) return;
  const Vector without_trace = work_.tight_gradient(out_.anchor).tight(a.psi).gradient + a.trace;
  a.trace = without_trace - exact.gradient;
  a.trace_covariance.setZero();
  a.exact_trace = true;
}

// The preconditioner's own trace takes forms of as many columns as its rank, and saves probes,
// which take solves: few where it is far from K, nearly all where it is near.
void AnchorTrace::consider_controls(const Matrix& factor) {
  // Of forms in products of as many columns, and for how many degrees of freedom.
  const double price = work_.fast != nullptr ? 2 / kPriceOfFloat : 2;
  constexpr Index kFree = 10;
  Anchor& a = out_.anchor;
  const bool enough_probes = a.bank() >= a.psi.size() + 1 + kFree;
  if (!enough_probes || error(factor) <= work_.settings.trace_error) return;
  const auto k = work_.covariance.at(a.psi);
  const Matrix controls = bank_controls(*k, a);
  const double saved =
      probes_for(a.trace_covariance, factor) - probes_for(error_with_controls(a, controls), factor);
  if (!(saved * a.iterations > price * static_cast<double>(out_.rank))) return;
  use_controls(a, controls,
               preconditioner_trace(*k, *a.preconditioner, a.psi.size(), [&](Index columns) {
                 work_.watch(fmt::format("computing the preconditioner's trace, {} of {} columns",
                                         columns, out_.rank));
               }));
  out_.trace_by_controls = true;
}

// That bring the error to what is wanted, if the bank leaves such a covariance.
double AnchorTrace::probes_for(const Matrix& covariance, const Matrix& factor) const {
  const double ratio =
      std::sqrt(largest_eigenvalue(factor, covariance)) / work_.settings.trace_error;
  return std::max(1.0, ratio * ratio) * static_cast<double>(out_.anchor.bank());
}

double AnchorTrace::error(const Matrix& factor) const {
  if (out_.anchor.exact_trace) return 0;
  return std::sqrt(largest_eigenvalue(factor, out_.anchor.trace_covariance));
}

}  // namespace ulisse
