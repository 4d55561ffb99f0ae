#include "fit/ulisse_record.h"

#include <cmath>

namespace ulisse {

namespace {

void record_gradients(const UlisseSetup& setup, const GradientPlan& plan, SetupRecord& r) {
  const AnchorTrace& trace = setup.anchor.trace;
  r.anchored = true;
  r.rank = setup.anchor.rank;
  r.neighbours = setup.anchor.neighbours;
  r.products_in_float = plan.use_float;
  r.solves_in_float = setup.by_float;
  r.float_error = plan.float_error;
  r.fresh_probes = plan.fresh_probes;
  r.unfinished_solves = setup.unfinished();
  r.exact_trace = trace.exact;
  r.mode_gradient_probes = trace.probes;
  r.trace_controls = trace.by_controls();
  r.trace_error = setup.trace_error;
  r.bank_error = plan.bank_error;
  const double of_lessons = setup.surrogate() != nullptr ? plan.lesson_error : 0;
  r.solver_error = std::fmax(plan.solver_error, of_lessons);
  r.product_error = plan.product_error;
}

void record_noise(const GradientPlan& plan, SetupRecord& r) {
  r.early_stop = plan.early_stop;
  r.step = plan.step;
  r.probe_count = plan.probe_count;
  r.noise_of_cutting = plan.noise_of_cutting;
  r.noise_of_probes = plan.noise_of_probes;
  r.noise_without_anchor = plan.noise_without_anchor;
  r.noise_share = plan.noise_share;
  r.noise_share_far_out = plan.noise_share_far;
}

}  // namespace

SetupRecord record_of(const UlisseSetup& setup, const std::string& backend) {
  const Survey& survey = setup.survey();
  SetupRecord r;
  r.exact = setup.exact() != nullptr || setup.corrected() != nullptr;
  if (setup.exact() != nullptr) r.why_exact = setup.exact()->why;
  if (setup.corrected() != nullptr) {
    r.why_exact = setup.corrected()->why;
    r.proposal_acceptance = setup.corrected()->acceptance;
  }
  r.swaps = setup.exact() != nullptr && setup.shape.other.is_there();
  r.bend = survey.bend;
  r.bend_of_logarithms = survey.bend_of_psi;
  r.exponents = survey.coordinates.exponents();
  r.origin = survey.coordinates.origin();
  r.mode_distance = survey.mode_distance;
  r.metric_repaired = survey.repaired;
  r.mode_gradients = setup.mode.evaluations;
  r.searched_rows = setup.searched_rows;
  r.other_modes_share = setup.other_modes_share;
  r.lessons = setup.lessons;
  r.why_no_surrogate = setup.why_no_surrogate;
  if (setup.plan() != nullptr) {
    record_gradients(setup, *setup.plan(), r);
    r.backend = backend;
  }
  if (setup.langevin() != nullptr) {
    record_noise(setup.langevin()->plan, r);
    r.start_learnt = setup.langevin()->start.is_learnt;
  }
  if (setup.surrogate() != nullptr) r.certificate = setup.surrogate()->learnt.certificate;
  return r;
}

}  // namespace ulisse
