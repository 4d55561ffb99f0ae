#pragma once

#include <vector>

#include "kernel/kernel_points.h"
#include "kernel/tiled_points.h"

namespace ulisse {

// A kernel at one psi, whose values are computed tile by tile: products of the shapes of its
// metrics, added up with the shares that terms have of the variance.
template <class T>
class TiledKernel {
 public:
  struct Part {
    Metric metric;
    TiledPoints<T> points;
  };
  struct TermPart {
    Index sigma_place;
    double sigma;
    T share;  // of the variance
    std::vector<Part> parts;
  };

  TiledKernel(const KernelPoints& points, const ConstVector& kernel_psi);

  // The points of `which`, in that order.
  TiledKernel select(const Indices& which) const;

  // Of the chosen terms alone, of which there must be one.
  TiledKernel only(const Indices& terms) const;

  Index size() const { return n_; }
  Index tiles() const { return tiles_for(n_); }
  Index parameter_count() const { return parameter_count_; }
  double variance() const { return variance_; }
  Vector variance_slopes() const;
  const std::vector<TermPart>& terms() const { return terms_; }

  // Sigmas and taus are positive numbers.
  bool is_usable() const { return usable_; }

  // k = values / variance(), at most 1, between tile i of these points and tile j of `others`,
  // which are of the same kernel at the same psi.
  void values(Index i, const TiledKernel& others, Index j, T* k) const;
  void values(Index i, Index j, T* k) const { values(i, *this, j, k); }

  // A bound on the error of a value of the kernel, beyond rounding in double.
  double error_bound() const;

 private:
  TiledKernel() = default;
  void add(TermPart term);

  Index n_ = 0, parameter_count_ = 0;
  double variance_ = 0;
  bool usable_ = true;
  std::vector<TermPart> terms_;
};

extern template class TiledKernel<double>;
extern template class TiledKernel<float>;

}  // namespace ulisse
