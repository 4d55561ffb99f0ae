#pragma once

#include <memory>
#include <optional>

#include "ulisse/covariance.h"
#include "ulisse/model.h"
#include "ulisse/preconditioner.h"
#include "ulisse/random.h"
#include "ulisse/types.h"
#include "ulisse/unbiased.h"

namespace ulisse {

enum class ProbeKind {
  rademacher,     // r of -1 and 1: tr(K^-1 dK) = E[(K^-1 r)' dK r]
  preconditioned  // z ~ N(0, P): tr(K^-1 dK) = E[(K^-1 z)' dK (P^-1 z)], less noise the closer P to
                  // K
};
std::string to_string(ProbeKind kind);

// What the solves at one psi leave for those at the next to start from, while probes are kept.
enum class WarmStart {
  iterate,  // where CG itself came to
  estimate  // the weighted sum; for y the first of its estimates
};

struct StochasticGradientOptions {
  int probes = 4;
  ProbeKind kind = ProbeKind::rademacher;
  WarmStart warm_start = WarmStart::iterate;
  bool first_solve = true;  // begin() solves y's system; else its solves start from zero

  double q = 1;                                // ULISSE begins to cut at |r| < q sqrt(n)
  std::shared_ptr<const TruncationRule> rule;  // null: no cutting, solves to the tolerance
  CgOptions cg = {.tolerance = 1e-8, .verify = false};

  // Pairs of independent estimates of K^-1 y. One is enough for an unbiased gradient; two or more
  // also show the noise that cutting y's solve makes, at the cost of a form each and no product.
  int y_pairs = 1;
};

struct GradientEstimate {
  Vector gradient;  // of the log posterior in psi; its expectation is exact

  // Of the gradient, estimated from the spread across probes, and across y's pairs where there are
  // several. Zero with one probe.
  Matrix covariance;

  UnbiasedSummary solves;
};

// What a stochastic gradient carries from one psi to the next: its probes, and the solutions
// reached, from which the next solves start.
struct GradientState {
  Matrix probes;         // (n, probes)
  Matrix probe_weights;  // r, or P^-1 z: what the forms multiply the solutions with
  Matrix solutions;      // (n, 1 + probes): CG's own for y and the probes
};

// Unbiased estimates of the gradient of the log posterior,
// g_j = -1/2 tr(K^-1 dK_j) + 1/2 y'K^-1 dK_j K^-1 y + d log prior / d psi_j,
// by linear solves alone: O(n^2) time for each product, O(n) memory.
class StochasticGradient {
 public:
  // covariance and model must outlive this.
  StochasticGradient(const Model& model, const Covariance& covariance, const ConstVector& y,
                     StochasticGradientOptions options);

  // For solves from now on and for probes drawn from now on; any P keeps estimates unbiased.
  void set_preconditioner(std::shared_ptr<const Preconditioner> p);

  // Solves y's system at psi to |r| < 0.01 sqrt(n), unless first_solve is false, so that the first
  // estimates do not start from nothing: |y| is about sqrt(n), which is where the paper's settings
  // stop.
  void begin(const ConstVector& psi);

  // New probes, whose solutions start from zero; y's stays.
  void draw_probes(Rng& rng);
  void forget_solutions();

  GradientEstimate estimate(const ConstVector& psi, Rng& truncation);

  const StochasticGradientOptions& options() const { return options_; }
  const GradientState& state() const { return state_; }
  void set_state(GradientState state);

 private:
  Matrix solve(const CovarianceOperator& k, Rng& truncation, UnbiasedSummary& summary);

  const Model& model_;
  const Covariance& covariance_;
  Vector y_;
  StochasticGradientOptions options_;
  std::shared_ptr<const Preconditioner> preconditioner_;
  GradientState state_;
};

}  // namespace ulisse
