#include "sample/student_t.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "sample/dense_metric.h"

namespace ulisse {

StudentT::StudentT(Vector centre, const Matrix& scale, int degrees_of_freedom)
    : centre_(std::move(centre)),
      factor_(covariance_factor(scale)),
      degrees_of_freedom_(degrees_of_freedom) {
  if (centre_.size() != factor_.rows() || degrees_of_freedom < 1) {
    throw std::invalid_argument(
        fmt::format("a t distribution in {} dimensions with a scale in {}, "
                    "{} degrees of freedom",
                    centre_.size(), factor_.rows(), degrees_of_freedom));
  }
}

// A normal over the root of a chi-square variable per degree of freedom, which is made of as many
// squared normals.
Vector StudentT::draw(Rng& rng) const {
  const Vector z = rng.normal_vector(centre_.size());
  const double chi_square = rng.normal_vector(degrees_of_freedom_).squaredNorm();
  const double stretch = std::sqrt(degrees_of_freedom_ / chi_square);
  return centre_ + factor_ * (stretch * z);
}

// (1 + |L^-1 (psi - centre)|^2 / nu)^(-(nu + d) / 2)
double StudentT::log_density(const Vector& psi) const {
  const Vector z = factor_.triangularView<Eigen::Lower>().solve(psi - centre_);
  const auto nu = static_cast<double>(degrees_of_freedom_), d = static_cast<double>(psi.size());
  return -0.5 * (nu + d) * std::log1p(z.squaredNorm() / nu);
}

// log(Gamma((nu + d) / 2) / (Gamma(nu / 2) (nu pi)^(d/2) |L|))
double StudentT::log_constant() const {
  const auto nu = static_cast<double>(degrees_of_freedom_), d = static_cast<double>(centre_.size());
  return std::lgamma(0.5 * (nu + d)) - std::lgamma(0.5 * nu) -
         0.5 * d * std::log(nu * std::numbers::pi) - factor_.diagonal().array().log().sum();
}

ModeProposals::ModeProposals(const Vector& mode, const Matrix& covariance, int degrees_of_freedom,
                             const std::optional<SecondMode>& second)
    : first_(mode, covariance, degrees_of_freedom) {
  if (!second) return;
  second_.emplace(second->psi, second->covariance, degrees_of_freedom);
  share_ = second->share;
}

Vector ModeProposals::draw(Rng& rng) const {
  if (!second_) return first_.draw(rng);
  return (rng.uniform() < share_ ? *second_ : first_).draw(rng);
}

double ModeProposals::log_density(const Vector& psi) const {
  if (!second_) return first_.log_density(psi);
  const auto part = [&](const StudentT& t, double share) {
    return std::log(share) + t.log_density(psi) - t.factor().diagonal().array().log().sum();
  };
  const double a = part(first_, 1 - share_), b = part(*second_, share_);
  return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b)));
}

// A mixture's density has the determinants already.
double ModeProposals::normalised_log_density(const Vector& psi) const {
  const double determinant = second_ ? first_.factor().diagonal().array().log().sum() : 0;
  return log_density(psi) + first_.log_constant() + determinant;
}

}  // namespace ulisse
