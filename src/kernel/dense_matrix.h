#pragma once

#include "kernel/dense.h"

namespace ulisse {

// K = kernel + diag(noise) as a full matrix, of which only the lower triangle is set.
void lower_matrix(const DenseOperator<double>& kernel, const ConstVector& noise, Matrix& result);
void lower_matrix(const DenseOperator<float>& kernel, const ConstVector& noise,
                  Eigen::MatrixXf& result);

}  // namespace ulisse
