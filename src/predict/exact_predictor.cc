#include "predict/exact_predictor.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/blas.h"
#include "base/memory.h"
#include "predict/joint_covariance.h"
#include "solve/dense_factor.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

bool same(const ConstVector& a, const Vector& b) { return a.size() == b.size() && a == b; }

}  // namespace

ExactPredictor::ExactPredictor(const Model& model, const Matrix& x, const Vector& y,
                               std::size_t kept_bytes)
    : f_(model, x, y), added_(f_.model(), x), points_(model.kernel, x) {
  const auto n = static_cast<double>(x.rows());
  check_memory(fmt::format("exact prediction from {} rows", x.rows()), bytes_of(n * n));
  most_kept_ = kept_bytes / std::max<std::size_t>(1, bytes_of(n * n));
}

void ExactPredictor::condition(const ConstVector& psi) {
  const auto found = std::find_if(kept_.begin(), kept_.end(),
                                  [&](const auto& each) { return same(psi, each->psi); });
  if (found != kept_.end()) {
    now_ = found->get();
  } else if (kept_.size() < most_kept_) {
    auto added = std::make_unique<Solved>();
    solve(psi, *added);
    kept_.push_back(std::move(added));
    now_ = kept_.back().get();
  } else {
    now_ = &other_;
    solve(psi, other_);
  }
  f_.condition(psi, now_->weights);
}

void ExactPredictor::solve(const ConstVector& psi, Solved& at) const {
  added_.lower_matrix(DenseOperator<double>(points_, added_.model().layout.kernel_psi(psi)), psi,
                      at.factor);
  if (parallel_cholesky(at.factor) != 0) {
    throw InputError(
        "a draw's covariance is not positive definite in floating point: there is too little noise "
        "for so many rows");
  }
  at.weights = f_.right_sides();
  solve_left(Triangle::lower, false, at.factor, at.weights);
  solve_left(Triangle::lower, true, at.factor, at.weights);
  at.psi = psi;
}

Moments ExactPredictor::moments(const ConstBlock& new_x, const Component& part) const {
  Matrix v = f_.cross(new_x, part), spread;
  Moments result{.mean = f_.mean(new_x, part, v, spread), .variance = Vector()};
  parallel_solve_left(false, now_->factor, v);
  const Vector left = f_.variance(part) - v.colwise().squaredNorm().transpose().array();
  // Rounding must not make a variance negative.
  result.variance = left.cwiseMax(0) + spread.colwise().squaredNorm().transpose();
  return result;
}

Matrix ExactPredictor::covariance(const ConstBlock& new_x) const {
  Matrix v = f_.cross(new_x, everything()), spread;
  f_.mean(new_x, everything(), v, spread);
  parallel_solve_left(false, now_->factor, v);
  return covariance_given(f_.covariance(new_x, everything()), v, v, spread);
}

}  // namespace ulisse
