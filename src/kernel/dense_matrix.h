#pragma once

#include "kernel/dense.h"

namespace ulisse {

// Of each column; the upper one of an even number.
Eigen::RowVectorXd medians(const ConstBlock& x);

// Only differences of points matter, and coordinates near 0 keep more of their digits when they are
// scaled and rounded: each column minus its median. Not the mean: one far outlier must not move all
// the others out.
Matrix centred(const ConstBlock& x);

// K = kernel + diag(noise) as a full matrix, of which only the lower triangle is set.
void lower_matrix(const DenseOperator<double>& kernel, const ConstVector& noise, Matrix& result);
void lower_matrix(const DenseOperator<float>& kernel, const ConstVector& noise,
                  Eigen::MatrixXf& result);

}  // namespace ulisse
