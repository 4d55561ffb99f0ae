#pragma once

#include <Eigen/Cholesky>
#include <cmath>
#include <vector>

#include "ulisse/preconditioner.h"

namespace ulisse::testing {

// A preconditioner that is not in src/: the blocks of K on its diagonal, of so many rows each. Its
// trace has no cheap way.
class BlockPreconditioner : public Preconditioner {
 public:
  BlockPreconditioner(const CovarianceOperator& k, Index rows)
      : least_noise_(k.noise().minCoeff()), k_(k.size(), k.size()) {
    k.apply(Matrix::Identity(k.size(), k.size()), k_);
    for (Index i = 0; i < k.size(); i += rows) {
      const Index count = std::min(rows, k.size() - i);
      first_.push_back(i);
      factors_.emplace_back(k_.block(i, i, count, count));
    }
  }

  Index size() const override { return k_.rows(); }
  Index rank() const override { return factors_.front().rows(); }
  double least_noise() const override { return least_noise_; }

  void apply(const ConstBlock& x, Block y) const override {
    y = x;
    for (std::size_t b = 0; b < factors_.size(); ++b) {
      factors_[b].solveInPlace(y.middleRows(first_[b], factors_[b].rows()));
    }
  }

  double log_determinant() const override {
    double sum = 0;
    for (const auto& factor : factors_) {
      sum += 2 * factor.matrixLLT().diagonal().array().log().sum();
    }
    return sum;
  }

  Matrix sample(Index count, Rng& rng) const override {
    Matrix draws(size(), count);
    for (Index c = 0; c < count; ++c) draws.col(c) = rng.normal_vector(size());
    for (std::size_t b = 0; b < factors_.size(); ++b) {
      auto part = draws.middleRows(first_[b], factors_[b].rows());
      part = (factors_[b].matrixL() * Matrix(part)).eval();
    }
    return draws;
  }

 private:
  double least_noise_;
  Matrix k_;
  std::vector<Index> first_;
  std::vector<Eigen::LLT<Matrix>> factors_;
};

}  // namespace ulisse::testing
