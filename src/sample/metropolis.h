#pragma once

#include <algorithm>
#include <cmath>

#include "sample/student_t.h"
#include "sample/targets.h"
#include "sample/transition.h"

namespace ulisse {

struct MetropolisOptions {
  int warmup = 500;
  double walk_share = 0.1;       // of random-walk steps after warm-up, at least; 1: no others ever
  double walk_acceptance = 0.3;  // that warm-up scales the walk to
  int degrees_of_freedom = 8;    // of the t; more fit a Gaussian better and other shapes worse
};

// The paper's baseline: an adaptive random walk, its scale set during warm-up to accept 20 to 40 %.
inline MetropolisOptions paper_random_walk() { return {.warmup = 10'000, .walk_share = 1}; }

// Metropolis-Hastings on the density alone, without gradients: one evaluation an iteration. Each
// iteration is one of two kinds, by a coin that does not know where the chain is.
//   Independent: a draw from a Student-t at the mode, or at another one that is known. Nearly every
//   one is accepted when the posterior is near Gaussian, and draws are then nearly independent.
//   Walk: psi + N(0, s^2 Sigma), which keeps the chain moving where the t fits badly.
// Warm-up learns s, and takes more walks for afterwards when independent draws were often refused.
template <DensityTarget Target>
class Metropolis {
 public:
  // `mode` and `covariance` (Sigma) shape the proposals. Keeps a reference to the target. Throws
  // std::invalid_argument when it rejects the start.
  Metropolis(const Target& target, Vector start, const Vector& mode, const Matrix& covariance,
             const MetropolisOptions& options = {},
             const std::optional<SecondMode>& second = std::nullopt)
      : target_(target),
        options_(options),
        proposals_(mode, covariance, options.degrees_of_freedom, second),
        psi_(std::move(start)),
        log_density_(accepted_start(target.log_density(psi_)).value),
        scale_(2.4 / std::sqrt(static_cast<double>(psi_.size()))),
        walk_share_(options.warmup > 0 ? std::max(0.5, options.walk_share) : options.walk_share) {}

  Transition step(Rng& rng) {
    const double used = scale_;
    const bool walks = rng.uniform() < walk_share_;
    const double acceptance = walks ? walk(rng) : jump(rng);
    if (warming_up()) adapt(walks, acceptance);
    ++iteration_;
    return {.psi = psi_,
            .log_density = log_density_,
            .accept_stat = acceptance,
            .step_size = used,
            .energy = -log_density_};
  }

  bool warming_up() const { return iteration_ < options_.warmup; }
  int iteration() const { return iteration_; }
  double step_size() const { return scale_; }  // s
  double walk_share() const { return walk_share_; }

  // The state; target, proposals and options are the caller's to repeat.
  template <class A>
  void archive(A& a) {
    a(iteration_, psi_, log_density_, scale_, walk_share_, walks_, jumps_, jump_acceptance_);
  }

 private:
  double walk(Rng& rng) {
    const Vector z = rng.normal_vector(psi_.size());
    return consider(psi_ + scale_ * (proposals_.factor() * z), 0, rng);
  }

  // The proposal's density does not cancel: the ratio is p(new) q(old) / (p(old) q(new)).
  double jump(Rng& rng) {
    const Vector candidate = proposals_.draw(rng);
    const double correction = proposals_.log_density(psi_) - proposals_.log_density(candidate);
    return consider(candidate, correction, rng);
  }

  // Moves with the acceptance probability, and returns it.
  double consider(const Vector& candidate, double log_correction, Rng& rng) {
    const LogDensity density = target_.log_density(candidate);
    if (density.rejected()) return 0;
    const double ratio = std::exp(density.value - log_density_ + log_correction);
    if (rng.uniform() < ratio) {
      psi_ = candidate;
      log_density_ = density.value;
    }
    return std::min(1.0, ratio);
  }

  // Robbins-Monro on log s, with steps that shrink slowly enough to forget a bad start.
  void adapt(bool walked, double acceptance) {
    if (walked) {
      ++walks_;
      scale_ *= std::exp((acceptance - options_.walk_acceptance) * std::pow(walks_, -0.6));
    } else {
      ++jumps_;
      jump_acceptance_ += (acceptance - jump_acceptance_) / jumps_;
    }
    if (iteration_ + 1 == options_.warmup) walk_share_ = settled_walk_share();
  }

  // Few walks when half of the jumps or more are accepted, nearly only walks when hardly any is.
  double settled_walk_share() const {
    const double wanted = jumps_ > 0 ? std::min(0.9, 1 - 2 * jump_acceptance_) : 0;
    return std::max(options_.walk_share, wanted);
  }

  const Target& target_;
  MetropolisOptions options_;
  ModeProposals proposals_;
  int iteration_ = 0;
  Vector psi_;
  double log_density_;
  double scale_;                                        // s
  double walk_share_;                                   // now
  double walks_ = 0, jumps_ = 0, jump_acceptance_ = 0;  // of warm-up
};

}  // namespace ulisse
