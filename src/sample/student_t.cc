#include "sample/student_t.h"

#include <fmt/format.h>

#include <cmath>
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

}  // namespace ulisse
