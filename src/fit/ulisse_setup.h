#pragma once

#include <optional>
#include <string>

#include "base/archive.h"
#include "fit/settings.h"
#include "fit/setup_work.h"
#include "ulisse/anchor.h"
#include "ulisse/dataset.h"
#include "ulisse/exact.h"
#include "ulisse/survey.h"

namespace ulisse {

// What the sampler `ulisse` finds out before it samples; kept with the fit, so that a resumed one
// need not do it again.
struct UlisseSetup {
  Mode mode;
  long searched_rows = 0;  // where modes were looked for in so many alone, and
  double share_there = 0;  // of their posterior, what other modes hold
  Anchor anchor;
  Survey survey;
  Vector second_centre;      // another mode, in the survey's coordinates; empty where none is known
  Matrix second_covariance;  // there
  Matrix noise;              // V around the anchor, with the settings below
  double q = 0;              // of ULISSE
  double step = 0;           // eps
  double trace_error = 0;    // of the gradient at the anchor, in posterior standard deviations
  double solver_error = 0;   // of the anchor's solves
  double float_error = 0;    // of products in float, where they were tried
  double product_error = 0;  // of the products in use
  bool use_float = false;    // for the products of sampling
  bool trace_by_controls = false;  // the gradient at the anchor
  bool setup_in_float = false;     // for those of the set-up's solves
  bool fresh_probes = false;       // those of the bank are not enough
  long probes = 0;                 // for each gradient
  // lambda_max(M V) around the anchor: of cut solves, of probes, and of probes without the anchor.
  double noise_of_cutting = 0, noise_of_probes = 0, noise_without_anchor = 0;
  // What the gradients' noise makes of the draws' variance, which the steps correct for: around the
  // mode, and what cut solves make of it three standard deviations away (NaN where not measured).
  // Beyond these shares the correction does not hold.
  static constexpr double kMostNoise = 0.1, kMostNoiseFarOut = 0.25;
  double noise_share = 0, noise_share_far = 0;
  long rank = 0;
  std::string why_exact;  // steps are those of nuts, on the exact density; empty where they are not
  std::string backend;    // of the products that all this was computed with
  bool exact() const { return !why_exact.empty(); }
  bool has_second_mode() const { return second_centre.size() > 0; }
  long unfinished() const { return anchor.unfinished + survey.unfinished; }  // solves

  template <class A>
  void archive(A& a) {
    a(mode.psi, mode.log_density, mode.gradient, mode.covariance, mode.evaluations, mode.converged,
      mode.message, mode.other_psi, mode.other_share, mode.second_share, anchor.psi,
      anchor.right_sides, anchor.probe_weights, anchor.solutions, anchor.slopes,
      anchor.probe_traces, anchor.trace, anchor.trace_covariance, anchor.exact_trace,
      anchor.trace_probes, anchor.trace_slopes, anchor.expected_controls, anchor.iterations,
      survey.metric, survey.repaired, survey.bend, survey.bank_error, noise, q, step, trace_error,
      solver_error, float_error, use_float, noise_of_cutting, noise_of_probes, noise_without_anchor,
      rank, product_error, anchor.unfinished, survey.unfinished, survey.off_mode,
      survey.coordinates, survey.centre, survey.bend_of_psi, fresh_probes, probes, setup_in_float,
      trace_by_controls, second_centre, second_covariance, why_exact, searched_rows, share_there,
      noise_share, noise_share_far, backend);
  }

  // Whether the shapes are those of a table of n rows and a model of p parameters.
  bool fits(Index n, Index p) const;

  // Estimates of the gradient with these settings.
  AnchoredGradient gradient(const UlisseSettings& settings, const Model& model,
                            const WorkingCovariance& covariance) const;
};

// The setup of a fit (fit_identity) in its file; nothing where there is no file. Throws InputError
// where it is damaged, or another fit's.
std::optional<UlisseSetup> read_setup(const std::string& file, const std::string& fit, Index n,
                                      Index p);
void write_setup(const std::string& file, const std::string& fit, const UlisseSetup& setup);

// What the products may use of `memory`: auto does not keep a large K.
std::size_t memory_for_products(const FitSettings& settings, Index n, std::size_t memory);

UlisseSetup prepare_ulisse(const FitSettings& settings, const Model& model, const Dataset& data,
                           const Covariance& covariance, std::size_t memory,
                           const SetupWatch& watch);

// The preconditioner is not kept: it is the same when it is made again.
void restore_preconditioner(const FitSettings& settings, const Covariance& covariance,
                            UlisseSetup& setup);

}  // namespace ulisse
