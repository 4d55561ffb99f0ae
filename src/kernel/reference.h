#pragma once

#include "ulisse/covariance.h"

namespace ulisse {

// The plain twin that every other backend is tested against: loops over pairs, one thread, the
// formulas as they stand in ulisse/kernel.h.
class ReferenceOperator : public KernelOperator {
 public:
  ReferenceOperator(const Kernel& kernel, const ConstBlock& x, const ConstVector& psi)
      : kernel_(kernel), parameters_(unpack(kernel, psi, x.cols())), x_(x) {}

  Index size() const override { return x_.rows(); }
  void apply(const ConstBlock& x, Block y) const override;
  Vector gradient_forms(const ConstBlock& u, const ConstBlock& v) const override;
  Matrix gradient_forms_by_column(const ConstBlock& u, const ConstBlock& v) const override;
  void columns(const Indices& which, Block out) const override;
  double variance() const override { return variance_of(parameters_); }
  Vector variance_slopes() const override;

 private:
  double value(Index i, Index j) const;
  // Its derivatives with respect to psi.
  Vector slopes(Index i, Index j) const;

  Kernel kernel_;
  KernelParameters parameters_;
  Matrix x_;
};

}  // namespace ulisse
