#pragma once

#include "kernel/dense.h"

namespace ulisse {

// The kernel as a full matrix, of which only the lower triangle is set.
void lower_matrix(const DenseOperator<double>& kernel, Matrix& result);
void lower_matrix(const DenseOperator<float>& kernel, Eigen::MatrixXf& result);

}  // namespace ulisse
