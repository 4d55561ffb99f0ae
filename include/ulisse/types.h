#pragma once

#include <Eigen/Core>
#include <vector>

namespace ulisse {

using Index = Eigen::Index;
using Indices = std::vector<Index>;
using Vector = Eigen::VectorXd;
using RowVector = Eigen::RowVectorXd;
using Matrix = Eigen::MatrixXd;  // column-major

// Views: a block is n rows by any number of columns, each column contiguous.
using ConstVector = Eigen::Ref<const Vector>;
using ConstBlock = Eigen::Ref<const Matrix>;
using Block = Eigen::Ref<Matrix>;

struct ValueAndSlope {
  double value, slope;
};

struct ValueAndGradient {
  double value;
  Vector gradient;
};

}  // namespace ulisse
