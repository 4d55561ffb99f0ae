#pragma once

#include "ulisse/setup_problem.h"
#include "ulisse/survey.h"

namespace ulisse {

// How gradients are estimated while sampling, by the noise and the errors measured around the mode.
struct GradientPlan {
  double step = 0;            // eps
  double early_stop = 0;      // q of ULISSE
  long probe_count = 0;       // for each gradient
  bool fresh_probes = false;  // the error of the bank is too large
  bool use_float = false;     // for the products
  Matrix noise;               // V around the anchor, with these
  // Errors in posterior standard deviations: of the bank, of the anchor's solves, of products in
  // float, where they were tried, and of the products in use.
  double bank_error = 0, solver_error = 0, float_error = 0, product_error = 0;
  // Of gradients that a surrogate learns from: how much larger the residuals of their solves may
  // be, and the error that this makes.
  double lesson_residuals = 1, lesson_error = 0;
  // lambda_max(M V) around the anchor: of cut solves, of probes, and of probes without the anchor.
  double noise_of_cutting = 0, noise_of_probes = 0, noise_without_anchor = 0;
  // The share of the gradients' noise in the draws' variance, which the steps correct for: around
  // the mode, and that of cut solves three standard deviations away (NaN where not measured).
  // Beyond these shares the correction does not hold.
  static constexpr double kMaxNoiseShare = 0.1, kMaxNoiseShareFarOut = 0.25;
  double noise_share = 0, noise_share_far = 0;
  long unfinished = 0;  // solves that did not converge

  template <class V>
  void fields(V& v) {
    v("step", step);
    v("early_stop", early_stop);
    v("probe_count", probe_count);
    v("fresh_probes", fresh_probes);
    v("use_float", use_float);
    v("noise", noise);
    v("bank_error", bank_error);
    v("solver_error", solver_error);
    v("float_error", float_error);
    v("product_error", product_error);
    v("lesson_residuals", lesson_residuals);
    v("lesson_error", lesson_error);
    v("noise_of_cutting", noise_of_cutting);
    v("noise_of_probes", noise_of_probes);
    v("noise_without_anchor", noise_without_anchor);
    v("noise_share", noise_share);
    v("noise_share_far", noise_share_far);
    v("unfinished", unfinished);
  }
  bool fits(Index rows, Index parameters) const;

  // Of AnchoredGradient, while sampling. by_float: the solves of the set-up.
  AnchoredGradientOptions options(const UlisseSettings& settings, const Anchor& anchor,
                                  bool by_float) const;
};

// The products that gradients are made of, fresh probes or the bank's, and the errors that they
// leave.
GradientPlan plan_products(const SetupProblem& problem, const Anchor& anchor, bool by_float,
                           const Survey& survey);

// And where solves are cut, for steps that take noisy gradients.
GradientPlan plan_gradients(const SetupProblem& problem, const Anchor& anchor, bool by_float,
                            const Survey& survey, const GradientPlan& of_products);

}  // namespace ulisse
