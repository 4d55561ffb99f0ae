#pragma once

#include "kernel/packed_block.h"
#include "kernel/split.h"
#include "kernel/tiled_kernel.h"
#include "ulisse/covariance.h"

namespace ulisse {

// Matrix-free: every kernel value is computed when it is needed, once for both halves of the
// symmetric matrix, and never stored. T = double, or float for kernel values and sums within a
// tile.
template <class T>
class DenseOperator : public SplitOperator {
 public:
  // At the kernel's part of psi.
  DenseOperator(const KernelPoints& points, const ConstVector& psi) : kernel_(points, psi) {}
  DenseOperator(const Kernel& kernel, const ConstBlock& x, const ConstVector& psi)
      : DenseOperator(KernelPoints(kernel, x), psi) {}

  Index size() const override { return kernel_.size(); }
  void apply(const ConstBlock& x, Block y) const override;
  Vector gradient_forms(const ConstBlock& u, const ConstBlock& v) const override;
  Matrix gradient_forms_by_column(const ConstBlock& u, const ConstBlock& v) const override;
  void apply_split(const ConstBlock& x, Block y, const Split& split) const override;
  Matrix forms_split(const ConstBlock& u, const ConstBlock& v, bool by_column,
                     const Split& split) const override;
  void columns(const Indices& which, Block out) const override;
  double variance() const override { return kernel_.variance(); }
  Vector variance_slopes() const override { return kernel_.variance_slopes(); }
  double error_bound() const override;

  const TiledKernel<T>& kernel() const { return kernel_; }

 private:
  TiledKernel<T> kernel_;
};

extern template class DenseOperator<double>;
extern template class DenseOperator<float>;

// Throw std::invalid_argument when the shapes of the arguments do not fit an operator of size n.
void check_apply(Index n, const ConstBlock& x, const Block& y);
void check_forms(Index n, const ConstBlock& u, const ConstBlock& v);
void check_columns(Index n, const Indices& which, const Block& out);

}  // namespace ulisse
