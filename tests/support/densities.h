#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "support/matrix_operator.h"
#include "ulisse/exact.h"
#include "ulisse/random.h"

namespace ulisse::testing {

// Densities with known moments for samplers. Each has value and gradient of its log density; draws
// are exact.
template <class Derived>
struct Density {
  LogDensity log_density(const Vector& psi) const { return self().evaluate(psi); }
  LogDensity log_density_and_gradient(const Vector& psi) const { return self().evaluate(psi); }
  const Derived& self() const { return static_cast<const Derived&>(*this); }
};

class Gaussian : public Density<Gaussian> {
 public:
  Gaussian(Vector mean, const Matrix& covariance)
      : mean_(std::move(mean)),
        covariance_(covariance),
        factor_(covariance.llt().matrixL()),
        precision_(covariance.inverse()) {}

  LogDensity evaluate(const Vector& psi) const {
    const Vector slope = precision_ * (mean_ - psi);
    return {-0.5 * (psi - mean_).dot(-slope), slope, ""};
  }
  Vector draw(Rng& rng) const { return mean_ + factor_ * rng.normal_vector(mean_.size()); }
  const Vector& mean() const { return mean_; }
  const Matrix& covariance() const { return covariance_; }

 private:
  Vector mean_;
  Matrix covariance_, factor_, precision_;
};

// Means 1, 2, ...; variances from 0.01 to 4 along random axes.
inline Gaussian correlated_gaussian(Index d) {
  const Vector spectrum = Vector::LinSpaced(d, std::log(0.01), std::log(4.0)).array().exp();
  return {Vector::LinSpaced(d, 1, static_cast<double>(d)), matrix_with_spectrum(spectrum, 5)};
}

// x ~ N(0, 1), y given x ~ N(bend (x^2 - 1), 1): means 0, variances 1 and 1 + 2 bend^2, no
// correlation, and not Gaussian. A bend of 1 would be too much: the tails are so curved that chains
// enter them a few times in 100,000 draws, and no error estimate can be trusted.
struct Banana : Density<Banana> {
  double bend = 0.5;

  LogDensity evaluate(const Vector& psi) const {
    const double x = psi(0), off = psi(1) - bend * (x * x - 1);
    const double value = -0.5 * x * x - 0.5 * off * off;
    return {value, (Vector(2) << -x + 2 * bend * x * off, -off).finished(), ""};
  }
  Vector draw(Rng& rng) const {
    const double x = rng.normal();
    return (Vector(2) << x, bend * (x * x - 1) + rng.normal()).finished();
  }
  Vector mean() const { return Vector::Zero(2); }
  Matrix covariance() const { return Vector{{1, 1 + 2 * bend * bend}}.asDiagonal(); }
};

// A normal pair with correlation 0.6, the first of them above `bound`: points below are rejected.
struct TruncatedGaussian : Density<TruncatedGaussian> {
  static constexpr double kBound = -0.5, kCorrelation = 0.6;

  LogDensity evaluate(const Vector& psi) const {
    if (psi(0) < kBound) {
      return {-std::numeric_limits<double>::infinity(), Vector(), "below the bound"};
    }
    const double rest = 1 - kCorrelation * kCorrelation, off = psi(1) - kCorrelation * psi(0);
    const double value = -0.5 * psi(0) * psi(0) - 0.5 * off * off / rest;
    return {value, (Vector(2) << -psi(0) + kCorrelation * off / rest, -off / rest).finished(), ""};
  }
  Vector draw(Rng& rng) const {
    double x = rng.normal();
    while (x < kBound) x = rng.normal();
    const double rest = std::sqrt(1 - kCorrelation * kCorrelation);
    return (Vector(2) << x, kCorrelation * x + rest * rng.normal()).finished();
  }
  // With hazard h = phi(a) / (1 - Phi(a)): E x = h, Var x = 1 + a h - h^2.
  static double hazard() {
    const double phi = std::exp(-0.5 * kBound * kBound) / std::sqrt(2 * std::numbers::pi);
    return phi / (0.5 * std::erfc(kBound / std::numbers::sqrt2));
  }
  Vector mean() const { return (Vector(2) << hazard(), kCorrelation * hazard()).finished(); }
  Matrix covariance() const {
    const double r = kCorrelation, v = 1 + kBound * hazard() - hazard() * hazard();
    return Matrix{{v, r * v}, {r * v, 1 - r * r + r * r * v}};
  }
};

}  // namespace ulisse::testing
