#include "sample/coordinates.h"

#include <cmath>
#include <utility>

namespace ulisse {

namespace {

constexpr double kJoint = 0.7;  // of 1 + k u: below it log is replaced by its parabola there

struct Point {
  double psi, slope, log_slope_gradient;
};

Point transform(double u, double k) {
  if (k == 0) return {u, 1, 0};
  const double x = 1 + k * u;
  if (x >= kJoint) return {std::log(x) / k, 1 / x, -k / x};
  const double t = (x - kJoint) / kJoint;
  return {(std::log(kJoint) + t - 0.5 * t * t) / k, (1 - t) / kJoint, -k / kJoint / (1 - t)};
}

double inverse(double psi, double k) {
  if (k == 0) return psi;
  const double log_x = k * psi, below = log_x - std::log(kJoint);
  if (below >= 0) return std::expm1(log_x) / k;
  return (kJoint * (2 - std::sqrt(1 - 2 * below)) - 1) / k;
}

template <class Member>
Vector each(const Vector& u, const Vector& exponents, Member member) {
  Vector out(u.size());
  for (Index j = 0; j < u.size(); ++j) out(j) = transform(u(j), exponents(j)).*member;
  return out;
}

}  // namespace

Coordinates::Coordinates(Vector origin)
    : origin_(std::move(origin)), exponents_(Vector::Zero(origin_.size())) {}

Coordinates::Coordinates(Vector origin, Vector exponents)
    : origin_(std::move(origin)), exponents_(std::move(exponents)) {}

Vector Coordinates::psi(const Vector& u) const {
  return origin_ + each(u, exponents_, &Point::psi);
}

Vector Coordinates::u(const Vector& psi) const {
  Vector out(psi.size());
  for (Index j = 0; j < psi.size(); ++j) out(j) = inverse(psi(j) - origin_(j), exponents_(j));
  return out;
}

Vector Coordinates::slope(const Vector& u) const { return each(u, exponents_, &Point::slope); }

Vector Coordinates::log_slope_gradient(const Vector& u) const {
  return each(u, exponents_, &Point::log_slope_gradient);
}

}  // namespace ulisse
