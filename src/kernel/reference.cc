#include "kernel/reference.h"

#include "kernel/backends.h"
#include "kernel/dense.h"

namespace ulisse {

double ReferenceOperator::value(Index i, Index j) const {
  return evaluate(kernel_, parameters_, x_.row(i), x_.row(j)).value;
}

Vector ReferenceOperator::slopes(Index i, Index j) const {
  return evaluate(kernel_, parameters_, x_.row(i), x_.row(j)).gradient;
}

void ReferenceOperator::apply(const ConstBlock& x, Block y) const {
  check_apply(size(), x, y);
  Matrix result = Matrix::Zero(x.rows(), x.cols());
  for (Index i = 0; i < size(); ++i) {
    for (Index j = 0; j < size(); ++j) {
      result.row(i) += value(i, j) * x.row(j);
    }
  }
  y = result;
}

Vector ReferenceOperator::gradient_forms(const ConstBlock& u, const ConstBlock& v) const {
  check_forms(size(), u, v);
  Vector forms = Vector::Zero(kernel_.parameter_count(x_.cols()));
  for (Index i = 0; i < size(); ++i) {
    for (Index j = 0; j < size(); ++j) forms += u.row(i).dot(v.row(j)) * slopes(i, j);
  }
  return forms;
}

Vector ReferenceOperator::variance_slopes() const {
  return size() > 0 ? slopes(0, 0) : Vector::Zero(kernel_.parameter_count(x_.cols()));
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
    for (Index i = 0; i < size(); ++i) out(i, c) = value(i, which[c]);
  }
}

Backend reference_backend() {
  return {.name = "reference",
          .can = {},
          .make = [](const Kernel& kernel, const ConstBlock& x, const CovarianceOptions&) {
            return [kernel, points = std::make_shared<const Matrix>(x)](const ConstVector& psi) {
              return std::make_unique<const ReferenceOperator>(kernel, *points, psi);
            };
          }};
}

}  // namespace ulisse
