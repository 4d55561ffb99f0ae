#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <concepts>
#include <stdexcept>
#include <utility>

#include "sample/noise_history.h"
#include "sample/running_covariance.h"
#include "sample/solve_record.h"

namespace ulisse {

// Unbiased estimates of the gradient of a log density. What a target learns while a chain runs is
// part of the chain's state.
template <class T>
concept EstimatedGradient = requires(T& target, const Vector& psi, Rng& rng) {
  { target.estimate(psi, rng) } -> std::same_as<GradientEstimate>;
};

struct LangevinOptions {
  double step = 1.5;
  int warmup = 100;
  // A gradient is cut to this length beyond the square root of the number of parameters, in units
  // of M, where a Gaussian of covariance M hardly ever has it: far out, where the posterior is
  // steep, full steps would overshoot.
  double steepest = 6;
};

// From this bend on (below) draws may be biased, however short steps are: noise alone in 310 to 400
// rows, of bends from 0.34 on, had standard deviations that were up to 23 % too large, and a linear
// signal, of bend 0.5, a quantile with a bias of 0.19 standard deviations.
constexpr double kMaxUnbiasedBend = 0.25;

constexpr double kMaxLangevinStep = 2.5;

// The step for a posterior whose gradient 1.5 standard deviations away from the mode differs from a
// Gaussian's by `bend`, relative to that distance. Far out in a skewed posterior the curvature
// grows with the bend, and steps must stay below 4 over it. With this rule the 5 % and 95 %
// quantiles of logarithms of gamma variables have a bias of 0.03 standard deviations at most. 2.5
// leaves room for a metric that is too wide.
inline double step_for(double bend) {
  constexpr double kMinStep = 0.05;
  return std::clamp(std::min(3.3 / (1 + 3 * bend), 0.75 / bend), kMinStep, kMaxLangevinStep);
}

// What a chain has done, for its summary. Moments are in units of M's standard deviations, since
// the end of warm-up.
struct LangevinRecord {
  SolveRecord solves;
  NoiseHistory history;  // an entry for each few iterations
  long cut_drifts = 0, draws = 0;
  double noise = 0;  // lambda_max(M V), V the covariance of the gradients' noise
  bool metric_refreshed = false, step_reduced = false;
  Vector place, slope;  // sums of psi, from the start of the chain, and of the gradient
  Matrix products_sum;  // of their products

  template <class A>
  void archive(A& a) {
    a(solves, history, cut_drifts, draws, noise, metric_refreshed, step_reduced, place, slope,
      products_sum);
  }

  // -E[(psi - mean) g'], which is the identity under the exact posterior (Stein). Its distance from
  // it shows what the discretisation does to variances, up to Monte Carlo error. The mean is that
  // of the same draws, which takes 1/ESS away with 4/step draws for each effective one. Not a
  // number where there are fewer than four of those.
  Matrix stein(double step) const {
    const auto n = static_cast<double>(std::max(1L, draws));
    const double kept = 1 - 4 / step / n;
    if (kept < 0.75) return Matrix::Constant(place.size(), place.size(), NAN);
    return -(products_sum / n - (place / n) * (slope / n).transpose()) / kept;
  }
};

// Langevin dynamics with averaged noise (Leimkuhler and Matthews 2013),
//
//   psi += eps/2 M g~ + sqrt(eps) C (R_t + R_t+1)/2,   R_t ~ N(0, I),
//
// whose stationary law is exact for a Gaussian posterior at any eps below 4, with M its covariance,
// and has a bias of O(eps^2) otherwise, where plain Langevin steps with a corrected covariance have
// one of O(eps). The autocorrelation time is 4/eps. C C' = M - s M V M with s = (eps/4)/(1 - eps/4)
// takes out of the noise what the gradients' own noise, of covariance V, puts in.
template <EstimatedGradient Target>
class Langevin {
 public:
  // `noise` is a first guess of V.
  Langevin(Target target, const Vector& start, const Matrix& metric, const Matrix& noise,
           const LangevinOptions& options)
      : target_(std::move(target)),
        options_(options),
        psi_(start),
        centre_(start),
        metric_(metric),
        noise_(noise),
        draws_(start.size()),
        step_(options.step) {
    const Index p = start.size();
    record_.place = record_.slope = Vector::Zero(p);
    record_.products_sum = Matrix::Zero(p, p);
    noise_sum_ = recent_noise_ = Matrix::Zero(p, p);
    settle();
  }

  Transition step(Rng& rng) {
    if (iteration_ == 0) last_normal_ = rng.normal_vector(psi_.size());
    const GradientEstimate estimate = target_.estimate(psi_, rng);
    observe(estimate);
    const Vector normal = rng.normal_vector(psi_.size());
    psi_ +=
        drift(estimate.gradient) + 0.5 * std::sqrt(step_) * (injected_ * (last_normal_ + normal));
    last_normal_ = normal;
    const double used = step_;
    if (warming_up()) learn(estimate);
    ++iteration_;
    note_noise(estimate, used);
    Transition made = gradient_transition(reported(), used, estimate);
    made.injected = std::sqrt(step_) * (injected_ * normal);
    return made;
  }

  bool warming_up() const { return iteration_ < options_.warmup; }
  int iteration() const { return iteration_; }
  double step_size() const { return step_; }
  const Matrix& metric() const { return metric_; }
  // Of a transition's `injected`.
  Matrix injected_covariance() const { return step_ * injected_ * injected_.transpose(); }
  const LangevinRecord& record() const { return record_; }
  const Target& target() const { return target_; }

  template <class A>
  void archive(A& a) {
    if constexpr (requires { target_.archive(a); }) target_.archive(a);
    a(iteration_, step_, psi_, centre_, metric_, noise_, noise_sum_, recent_noise_, last_normal_,
      draws_, record_, cut_in_warmup_);
    if (iteration_ > 0 && last_normal_.size() != psi_.size()) {
      throw std::runtime_error("a saved state lacks the noise of its last step");
    }
    settle();
  }

 private:
  // A target may have coordinates of its own, which chains move in.
  Vector reported() const {
    if constexpr (requires { target_.psi(psi_); }) {
      return target_.psi(psi_);
    } else {
      return psi_;
    }
  }

  // Everything that follows from M, V and the step.
  void settle() {
    factor_ = metric_.llt().matrixL();
    const Matrix v = factor_.transpose() * noise_ * factor_;
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(0.5 * (v + v.transpose()));
    record_.noise = eigen.eigenvalues().maxCoeff();
    // At most a quarter of the variance may come from the gradients' noise: beyond that its
    // estimate would have to be very good.
    while (step_ / 4 / (1 - step_ / 4) * record_.noise > 0.25) {
      step_ /= 2;
      record_.step_reduced = true;
    }
    const double s = step_ / 4 / (1 - step_ / 4);
    const Vector scale = (1 - s * eigen.eigenvalues().array()).max(0).sqrt();
    injected_ =
        factor_ * eigen.eigenvectors() * scale.asDiagonal() * eigen.eigenvectors().transpose();
  }

  Vector drift(const Vector& gradient) {
    const Vector slope = factor_.transpose() * gradient;
    if (!slope.allFinite()) throw std::runtime_error("a gradient is not finite");
    const double length = slope.norm();
    const double limit = std::sqrt(static_cast<double>(slope.size())) + options_.steepest;
    if (length <= limit) return 0.5 * step_ * (factor_ * slope);
    ++(warming_up() ? cut_in_warmup_ : record_.cut_drifts);
    return 0.5 * step_ * limit / length * (factor_ * slope);
  }

  void observe(const GradientEstimate& estimate) {
    record_.solves.add(estimate.solves);
    if (warming_up()) return;
    ++record_.draws;
    const Vector place = factor_.template triangularView<Eigen::Lower>().solve(psi_ - centre_);
    const Vector slope = factor_.transpose() * estimate.gradient;
    record_.place += place;
    record_.slope += slope;
    record_.products_sum += place * slope.transpose();
  }

  void note_noise(const GradientEstimate& estimate, double step) {
    constexpr int kEvery = 10;
    recent_noise_ += estimate.covariance / kEvery;
    if (iteration_ % kEvery != 0) return;
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(factor_.transpose() * recent_noise_ *
                                                      factor_);
    record_.history.add(iteration_, step, step / 4 * eigen.eigenvalues().maxCoeff());
    recent_noise_.setZero();
  }

  // V from the gradients' own covariances; M anew, once, if the draws' covariance is far from it.
  void learn(const GradientEstimate& estimate) {
    noise_sum_ += estimate.covariance;
    draws_.add(psi_);
    const int done = iteration_ + 1;
    const int refresh_at = std::max(1, options_.warmup * 3 / 4);
    if (done == refresh_at) {
      refresh_metric();
      if (cut_in_warmup_ * 50 > done) {
        step_ /= 2;
        record_.step_reduced = true;
      }
    }
    if (done == refresh_at || done == options_.warmup) {
      noise_ = noise_sum_ / done;
      settle();
    }
  }

  // The draws' covariance in units of M has eigenvalues around 1; with n effective draws of p
  // numbers they spread over (1 +- sqrt(p/n))^2 by chance. Twice beyond that M is wrong, in those
  // directions, and the others stay. The new scale is one of chance, too, and of fewer effective
  // draws where M was too narrow; where it is too wide steps that were safe would run away.
  void refresh_metric() {
    const double effective = draws_.count() * step_ / 4;
    const auto p = static_cast<double>(psi_.size());
    if (effective < 2 * p + 2) return;
    const auto lower = factor_.template triangularView<Eigen::Lower>();
    const Matrix half = lower.solve(draws_.covariance());
    const Matrix whitened = lower.solve(half.transpose());
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(0.5 * (whitened + whitened.transpose()));
    const double chance = std::sqrt(p / effective);
    const double weight = effective / (effective + p);
    Vector scale = Vector::Ones(psi_.size());
    for (Index i = 0; i < scale.size(); ++i) {
      const double sampled = eigen.eigenvalues()(i);
      const bool wrong =
          sampled > 2 * (1 + chance) * (1 + chance) || sampled < 0.5 * (1 - chance) * (1 - chance);
      if (wrong) scale(i) = weight * sampled + 1 - weight;
    }
    const auto changed = static_cast<double>((scale.array() != 1).count());
    if (changed == 0) return;
    const Matrix axes = factor_ * eigen.eigenvectors();
    metric_ = axes * scale.asDiagonal() * axes.transpose();
    const double slow = effective / std::max(1.0, scale.maxCoeff());
    step_ /= std::pow(1 + std::sqrt(changed / slow), 2);
    record_.metric_refreshed = true;
  }

  Target target_;
  LangevinOptions options_;
  int iteration_ = 0;
  Vector psi_, centre_, last_normal_;
  Matrix metric_, noise_, noise_sum_;  // M, V, the sum of V's estimates
  Matrix recent_noise_;                // mean of V's estimates over the last few iterations
  Matrix factor_, injected_;           // M = factor factor', C
  RunningCovariance draws_;
  LangevinRecord record_;
  double step_;
  long cut_in_warmup_ = 0;
};

}  // namespace ulisse
