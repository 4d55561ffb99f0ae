#include "kernel/reference.h"

#include "kernel/backends.h"

namespace ulisse {

double ReferenceOperator::distance(Index i, Index j) const {
  double s = 0;
  for (Index k = 0; k < x_.cols(); ++k) {
    const double difference = x_(i, k) - x_(j, k);
    s += parameters_.tau(k) * difference * difference;
  }
  return s;
}

void ReferenceOperator::apply(const ConstBlock& x, Block y) const {
  check_apply(size(), x, y);
  Matrix result = Matrix::Zero(x.rows(), x.cols());
  for (Index i = 0; i < size(); ++i) {
    for (Index j = 0; j < size(); ++j) {
      const double k = parameters_.sigma * evaluate(kernel_.shape, distance(i, j)).value;
      result.row(i) += k * x.row(j);
    }
  }
  y = result;
}

Vector ReferenceOperator::gradient_forms(const ConstBlock& u, const ConstBlock& v) const {
  check_forms(size(), u, v);
  const Index d = x_.cols();
  Vector forms = Vector::Zero(kernel_.parameter_count(d));
  for (Index i = 0; i < size(); ++i) {
    for (Index j = 0; j < size(); ++j) {
      const auto [value, slope] = evaluate(kernel_.shape, distance(i, j));
      const double weight = parameters_.sigma * u.row(i).dot(v.row(j));
      forms(0) += weight * value;
      for (Index k = 0; k < d; ++k) {
        const double difference = x_(i, k) - x_(j, k);
        const double s_k = parameters_.tau(k) * difference * difference;
        if (slope != 0) forms(kernel_.ard ? 1 + k : 1) += weight * slope * s_k;
      }
    }
  }
  return forms;
}

Matrix ReferenceOperator::gradient_forms_by_column(const ConstBlock& u, const ConstBlock& v) const {
  check_forms(size(), u, v);
  Matrix forms(kernel_.parameter_count(x_.cols()), u.cols());
  for (Index c = 0; c < u.cols(); ++c) forms.col(c) = gradient_forms(u.col(c), v.col(c));
  return forms;
}

void ReferenceOperator::columns(const Indices& which, Block out) const {
  check_columns(size(), which, out);
  for (Index c = 0; c < out.cols(); ++c) {
    for (Index i = 0; i < size(); ++i) {
      out(i, c) = parameters_.sigma * evaluate(kernel_.shape, distance(i, which[c])).value;
    }
  }
}

Backend reference_backend() {
  return {.name = "reference",
          .can = {},
          .make = [](const Kernel& kernel, const ConstBlock& x, const CovarianceOptions&) {
            return build_on_points<ReferenceOperator>(kernel, x);
          }};
}

}  // namespace ulisse
