#pragma once

#include "kernel/dense.h"

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
  double variance() const override { return parameters_.sigma; }
  Vector variance_slopes() const override { return sigma_alone(kernel_, parameters_); }

 private:
  double distance(Index i, Index j) const;

  Kernel kernel_;
  KernelParameters parameters_;
  Matrix x_;
};

}  // namespace ulisse
