#pragma once

#include "covariance/dense.h"

namespace ulisse {

// Of each column; the upper one of an even number.
Eigen::RowVectorXd medians(const ConstBlock& x);

// Only differences of points matter, and coordinates near 0 keep more of their digits when they are
// scaled and rounded: each column minus its median. Not the mean: one far outlier must not move all
// the others out.
Matrix centred(const ConstBlock& x);

// K with its noise as a full matrix, of which only the lower triangle is set.
void lower_matrix(const DenseOperator<double>& k, Matrix& result);
void lower_matrix(const DenseOperator<float>& k, Eigen::MatrixXf& result);

}  // namespace ulisse
