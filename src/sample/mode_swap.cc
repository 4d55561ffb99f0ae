#include "sample/mode_swap.h"

#include <Eigen/SVD>
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "sample/dense_metric.h"

namespace ulisse {

namespace {

Matrix in_deviations(const Matrix& factor, const Matrix& away) {
  return factor.triangularView<Eigen::Lower>().solve(away);
}

double log_determinant(const Matrix& factor) { return factor.diagonal().array().log().sum(); }

}  // namespace

ModeSwap::ModeSwap(Vector first, const Matrix& first_covariance, Vector second,
                   const Matrix& second_covariance)
    : first_(std::move(first)),
      second_(std::move(second)),
      first_factor_(covariance_factor(first_covariance)),
      second_factor_(covariance_factor(second_covariance)) {
  if (first_.size() != second_.size() || first_.size() != first_factor_.rows() ||
      first_.size() != second_factor_.rows()) {
    throw std::invalid_argument("two modes and their covariances are not of one size");
  }
}

std::optional<ModeSwap::Candidate> ModeSwap::from(const Vector& psi) const {
  const bool leaves_first = is_nearer_to_first(psi);
  const Vector& left = leaves_first ? first_ : second_;
  const Vector& mode = leaves_first ? second_ : first_;
  const Matrix& from = leaves_first ? first_factor_ : second_factor_;
  const Matrix& to = leaves_first ? second_factor_ : first_factor_;
  const Vector there = mode + to * in_deviations(from, psi - left);
  if (is_nearer_to_first(there) == leaves_first) return std::nullopt;
  return Candidate{there, log_determinant(to) - log_determinant(from)};
}

double ModeSwap::narrowness() const {
  const Matrix second = in_deviations(first_factor_, second_factor_);
  return std::min(1.0, Eigen::JacobiSVD<Matrix>(second).singularValues().minCoeff());
}

// By the densities of both Gaussians: a wide one is far from most places that are few of its
// standard deviations away.
bool ModeSwap::is_nearer_to_first(const Vector& psi) const {
  const auto off = [&](const Vector& mode, const Matrix& factor) {
    return in_deviations(factor, psi - mode).squaredNorm() + 2 * log_determinant(factor);
  };
  return off(first_, first_factor_) <= off(second_, second_factor_);
}

}  // namespace ulisse
