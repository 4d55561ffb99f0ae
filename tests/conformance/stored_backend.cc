// A backend that the library does not know of, added as any program could: by public headers alone.

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "ulisse/backend.h"

namespace ulisse {
namespace {

// Keeps the whole matrix.
class StoredOperator : public KernelOperator {
 public:
  StoredOperator(const Kernel& kernel, const Matrix& x, const ConstVector& psi)
      : kernel_(kernel), parameters_(unpack(kernel, psi, x.cols())), x_(x), k_(size(), size()) {
    for (Index j = 0; j < size(); ++j) {
      for (Index i = 0; i < size(); ++i) k_(i, j) = between(i, j).value;
    }
  }

  Index size() const override { return x_.rows(); }

  void apply(const ConstBlock& x, Block y) const override {
    require(x.rows() == size() && y.rows() == size() && x.cols() == y.cols());
    y = k_ * Matrix(x);
  }

  Vector gradient_forms(const ConstBlock& u, const ConstBlock& v) const override {
    return gradient_forms_by_column(u, v).rowwise().sum();
  }

  Matrix gradient_forms_by_column(const ConstBlock& u, const ConstBlock& v) const override {
    require(u.rows() == size() && v.rows() == size() && u.cols() == v.cols());
    Matrix forms = Matrix::Zero(kernel_.parameter_count(x_.cols()), u.cols());
    for (Index i = 0; i < size(); ++i) {
      for (Index j = 0; j < size(); ++j) {
        const Vector slopes = between(i, j).gradient;
        for (Index c = 0; c < u.cols(); ++c) forms.col(c) += u(i, c) * v(j, c) * slopes;
      }
    }
    return forms;
  }

  void columns(const Indices& which, Block out) const override {
    require(out.rows() == size() && out.cols() == static_cast<Index>(which.size()));
    for (const Index j : which) require(0 <= j && j < size());
    out = k_(Eigen::all, which);
  }

  double variance() const override { return variance_of(parameters_); }
  Vector variance_slopes() const override { return between(0, 0).gradient; }

 private:
  static void require(bool fits) {
    if (!fits) throw std::invalid_argument("shapes do not fit");
  }

  ValueAndGradient between(Index i, Index j) const {
    return evaluate(kernel_, parameters_, x_.row(i), x_.row(j));
  }

  Kernel kernel_;
  KernelParameters parameters_;
  Matrix x_, k_;
};

std::size_t square_bytes(Index n) {
  return static_cast<std::size_t>(n) * static_cast<std::size_t>(n) * sizeof(double);
}

Backend stored_backend() {
  return {.name = "stored",
          .can = {.kept_bytes = square_bytes},
          .make = [](const Kernel& kernel, const ConstBlock& x, const CovarianceOptions&) {
            return [kernel, points = Matrix(x)](const ConstVector& psi) {
              return std::make_unique<const StoredOperator>(kernel, points, psi);
            };
          }};
}

[[maybe_unused]] const bool kRegistered = (register_backend(stored_backend()), true);

}  // namespace
}  // namespace ulisse
