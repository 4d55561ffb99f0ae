#include "ulisse/surrogate_kernel.h"

#include <cmath>

namespace ulisse {

namespace {

double square(double x) { return x * x; }

// The block of covariances between the gradients at two places that are d apart.
void covariances_between(const SurrogateKernel& k, const Vector& d, Block block) {
  const double l2 = square(k.separate_length), m2 = square(k.joint_length);
  const double joint = k.joint_variance * std::exp(-0.5 * d.squaredNorm() / m2);
  block.noalias() = (-joint / m2) * d * d.transpose();
  block.diagonal().array() += joint + k.separate_variance * (1 - d.array().square() / l2) *
                                          (-0.5 / l2 * d.array().square()).exp();
}

}  // namespace

Matrix SurrogateKernel::gradient_covariances(const Matrix& places) const {
  const Index p = places.rows(), count = places.cols();
  Matrix all(p * count, p * count);
  for (Index j = 0; j < count; ++j) {
    for (Index i = j; i < count; ++i) {
      covariances_between(*this, places.col(i) - places.col(j), all.block(i * p, j * p, p, p));
      if (i != j) all.block(j * p, i * p, p, p) = all.block(i * p, j * p, p, p).transpose();
    }
  }
  return all;
}

double SurrogateKernel::value_and_gradient(const Vector& v, const Matrix& places,
                                           const Matrix& weights, Vector& gradient) const {
  const double l2 = square(separate_length), m2 = square(joint_length);
  const Matrix d = v.replicate(1, places.cols()) - places;
  const Eigen::ArrayXXd squares = d.array().square();
  const Eigen::ArrayXXd weighted_steps = d.array() * weights.array();
  const Eigen::ArrayXXd separate = separate_variance * (-0.5 / l2 * squares).exp();
  const Vector joint =
      joint_variance * (-0.5 / m2 * squares.colwise().sum().transpose()).exp().matrix();
  const Vector along = weighted_steps.colwise().sum().transpose().matrix();  // d_i' weights_i
  gradient.noalias() = weights * joint - d * (joint.cwiseProduct(along) / m2);
  gradient.array() += (separate * (1 - squares / l2) * weights.array()).rowwise().sum();
  return joint.dot(along) + (separate * weighted_steps).sum();
}

}  // namespace ulisse
