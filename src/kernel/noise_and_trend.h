#pragma once

#include "kernel/dense.h"
#include "ulisse/model.h"
#include "ulisse/types.h"

namespace ulisse {

// What a model adds to its kernel for the rows of one table, K = kernel + diag(noise) + H B H', and
// how derivatives of K by psi follow from the kernel's. Nothing else adds noise or a trend:
// backends, dense factors and preconditioners take them from here. The noise stands on the diagonal
// only: two rows with equal inputs are two observations. H is the basis of the trend, whose
// coefficients are integrated out, with B = scale^2 I.
class NoiseAndTrend {
 public:
  NoiseAndTrend(Model model, const ConstBlock& x);

  const Model& model() const { return model_; }
  Vector noise(const ConstVector& psi) const;     // (n)
  const Matrix& trend() const { return trend_; }  // H sqrt(B), (n, coefficients)

  // y += (diag(noise) + H B H') x.
  void add_product(const Vector& noise, const ConstBlock& x, Block y) const;

  // The lower triangle of kernel + diag(noise), for a factor. The trend's coefficients follow from
  // the factor with fewer digits lost (TrendGivenData).
  void lower_matrix(const DenseOperator<double>& kernel, const ConstVector& psi,
                    Matrix& result) const;
  void lower_matrix(const DenseOperator<float>& kernel, const ConstVector& psi,
                    Eigen::MatrixXf& result) const;

  // tr(W dK_j) for the parameters in psi: from that for the parameters of the kernel, and `total`,
  // the trace of W. One W, or one a column.
  Vector slopes(const ConstVector& psi, const Vector& of_kernel, double total) const;
  Matrix slopes(const ConstVector& psi, const Matrix& of_kernel,
                const Eigen::RowVectorXd& totals) const;

 private:
  Model model_;
  Vector known_variance_;  // (n)
  Matrix trend_;
};

}  // namespace ulisse
