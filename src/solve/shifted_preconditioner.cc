#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "ulisse/preconditioner.h"

namespace ulisse {

namespace {

class ShiftedOperator : public LinearOperator {
 public:
  ShiftedOperator(const LinearOperator& k, double delta) : k_(k), delta_(delta) {}
  Index size() const override { return k_.size(); }
  void apply(const ConstBlock& x, Block y) const override {
    const Matrix shift = delta_ * x;  // y may be x
    k_.apply(x, y);
    y += shift;
  }

 private:
  const LinearOperator& k_;
  double delta_;
};

}  // namespace

ShiftedPreconditioner::ShiftedPreconditioner(const LinearOperator& k, double delta, CgOptions inner)
    : k_(k), delta_(delta), inner_(inner) {
  if (!(delta >= 0) || !std::isfinite(delta)) {
    throw std::invalid_argument(fmt::format("K + delta I with delta = {}", delta));
  }
}

void ShiftedPreconditioner::apply(const ConstBlock& x, Block y) const {
  Matrix z = Matrix::Zero(x.rows(), x.cols());
  const SolveSummary summary =
      conjugate_gradients(ShiftedOperator(k_, delta_), nullptr, x, z, inner_);
  iterations_ += summary.iterations;
  products_ += summary.products;
  y = z;
}

}  // namespace ulisse
