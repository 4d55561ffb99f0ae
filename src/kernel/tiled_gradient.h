#pragma once

#include <algorithm>
#include <vector>

#include "base/aligned.h"
#include "kernel/bands.h"
#include "kernel/packed_block.h"
#include "kernel/split.h"
#include "kernel/tiled_kernel.h"
#include "ulisse/kernel.h"

namespace ulisse {

// Weights W = sum_c (u_c v_c' + v_c u_c')/2 of a contraction, tile by tile. Off the diagonal a tile
// stands for both of its halves, so it holds twice the weight.
template <class T>
class OuterWeights {
 public:
  OuterWeights(const ConstBlock& u, const ConstBlock& v) : OuterWeights(u, v, column_scales(u)) {}

  // w[a, b] for the pair of tiles (i, j), to be multiplied by scale().
  void tile(Index i, Index j, T* w) const {
    simd::tile_ops<T>().outer(columns_, i != j, u_.tile(i), v_.tile(i), u_.tile(j), v_.tile(j), w);
  }
  double scale() const { return scale_; }

 private:
  OuterWeights(const ConstBlock& u, const ConstBlock& v, const std::vector<double>& u_scales)
      : columns_(u.cols()),
        scale_(common_scale(u_scales, column_scales(v))),
        u_(u, u_scales),
        v_(v, remaining_scales(u_scales)) {}

  // Columns are summed, so the products of their scales must be one number.
  static double common_scale(const std::vector<double>& a, const std::vector<double>& b) {
    double largest = 0;
    for (std::size_t c = 0; c < a.size(); ++c) largest = std::max(largest, a[c] * b[c]);
    return largest > 0 ? largest : 1;
  }
  std::vector<double> remaining_scales(std::vector<double> u_scales) const {
    for (double& s : u_scales) s = scale_ / s;  // infinite where u is 0, which makes v 0 too
    return u_scales;
  }

  Index columns_;
  double scale_;
  PackedColumns<T> u_, v_;
};

// Sums of a contraction, as the loops over tiles make them: for each metric of each term
// sum w k and, for its only tau or for each coordinate, sum w dk / dlog(tau).
template <class T>
class ContractionSums {
 public:
  explicit ContractionSums(const TiledKernel<T>& kernel) : kernel_(kernel) {
    for (const auto& term : kernel.terms()) {
      for (const auto& part : term.parts) size_ += of(part.metric);
    }
  }
  Index size() const { return size_; }
  static Index of(const Metric& metric) { return 1 + (metric.one_tau ? 1 : metric.coordinates()); }

  // By the kernel's parameters. The first metric of a term knows the sum for its sigma.
  Vector by_parameter(const ConstVector& sums) const {
    Vector result = Vector::Zero(kernel_.parameter_count());
    Index at = 0;
    for (const auto& term : kernel_.terms()) {
      const auto share = static_cast<double>(term.share);
      result(term.sigma_place) = share * sums(at);
      for (const auto& part : term.parts) {
        const Metric& metric = part.metric;
        for (Index c = 1; c < of(metric); ++c) {
          result(metric.tau[static_cast<std::size_t>(c - 1)]) += share * sums(at + c);
        }
        at += of(metric);
      }
    }
    return result;
  }

 private:
  const TiledKernel<T>& kernel_;
  Index size_ = 0;
};

// The values of each term of a kernel for one pair of tiles, as shares of 1, and for each of its
// metrics the slope of that value; and what weights make of them. One for each thread.
template <class T>
class TileSlopes {
 public:
  void compute(const TiledKernel<T>& kernel, Index i, Index j) {
    kernel_ = &kernel;
    ops_ = &simd::tile_ops<T>();
    i_ = i;
    j_ = j;
    make_room();
    std::size_t first = 0;
    for (const auto& term : kernel.terms()) {
      if (is_plain_pair(term)) {
        compute_pair(term, first);
      } else {
        compute_parts(term, first);
      }
      first += term.parts.size();
    }
  }

  // Adds to the sums; overwrites w.
  void contract(T* w, double* sums) {
    std::size_t first = 0;
    for (const auto& term : kernel_->terms()) {
      const bool pair = is_plain_pair(term);
      if (pair) contract_pair(first, w, sums);
      for (std::size_t m = 0; m < term.parts.size(); ++m) {
        if (!pair) contract_part(term.parts[m], first, first + m, w, sums);
        sums += ContractionSums<T>::of(term.parts[m].metric);
      }
      first += term.parts.size();
    }
  }

 private:
  using Part = typename TiledKernel<T>::Part;
  using TermPart = typename TiledKernel<T>::TermPart;

  // Two metrics with one tau each take one exponential.
  static bool is_plain_pair(const TermPart& term) {
    return term.parts.size() == 2 && term.parts[0].metric.one_tau && term.parts[1].metric.one_tau;
  }
  void compute_pair(const TermPart& term, std::size_t first) {
    const simd::Distance<T> shapes[] = {distance(term.parts[0]), distance(term.parts[1])};
    ops_->product_slopes(shapes, values(first), slopes(first), slopes(first + 1));
  }
  simd::Distance<T> distance(const Part& part) const {
    const TiledPoints<T>& p = part.points;
    return {part.metric.shape, p.extent(), p.tile(i_), p.tile(j_)};
  }
  void contract_pair(std::size_t first, const T* w, double* sums) {
    double of_pair[3] = {0, 0, 0};
    ops_->contract_product(values(first), slopes(first), slopes(first + 1), w, of_pair);
    sums[0] += of_pair[0];
    sums[1] += of_pair[1];
    sums[3] += of_pair[2];  // sums[2] would be sums[0] again
  }

  void compute_parts(const TermPart& term, std::size_t first) {
    for (std::size_t m = 0; m < term.parts.size(); ++m) {
      const auto [shape, extent, xi, xj] = distance(term.parts[m]);
      ops_->slopes(shape, extent, term.parts[m].metric.one_tau, xi, xj, values(first + m),
                   slopes(first + m));
    }
    multiply_factors(first, first + term.parts.size());
  }

  void make_room() {
    metrics_ = 0;
    for (const auto& term : kernel_->terms()) metrics_ += term.parts.size();
    buffer_.resize((2 * metrics_ + 1) * simd::kTileSize);
  }
  T* values(std::size_t metric) { return buffer_.data() + (2 * metric + 1) * simd::kTileSize; }
  T* slopes(std::size_t metric) { return buffer_.data() + (2 * metric + 2) * simd::kTileSize; }

  // Each slope times the other metrics' values, and in the first values the product of all. Done
  // once for all weights.
  void multiply_factors(std::size_t first, std::size_t end) {
    for (std::size_t m = first; m < end; ++m) {
      for (std::size_t other = first; other < end; ++other) {
        if (other != m) ops_->multiply_values(slopes(m), values(other), slopes(m));
      }
    }
    for (std::size_t m = first + 1; m < end; ++m) {
      ops_->multiply_values(values(first), values(m), values(first));
    }
  }

  void contract_part(const Part& part, std::size_t first, std::size_t metric, T* w, double* sums) {
    if (part.metric.one_tau) {
      ops_->contract(values(first), slopes(metric), w, sums);
      return;
    }
    const bool last = metric + 1 == metrics_;  // others need the weights
    T* const weights = last ? w : buffer_.data();
    if (!last) std::copy(w, w + simd::kTileSize, weights);
    const TiledPoints<T>& p = part.points;
    ops_->contract_by_coordinate(p.extent(), p.tile(i_), p.tile(j_), values(first), slopes(metric),
                                 weights, sums);
  }

  const simd::TileOps<T>* ops_ = nullptr;
  const TiledKernel<T>* kernel_ = nullptr;
  Index i_ = 0, j_ = 0;
  std::size_t metrics_ = 0;
  AlignedVector<T> buffer_;  // weights, then values and slopes of each metric
};

// sum_ij W_ij dK_ij/dpsi_p for every parameter of the kernel; a column for each of several W, which
// share the kernel's values. pairs.for_each(f) calls f(tile_i, tile_j, band) for the pairs of tiles
// that count, with the guarantees of for_each_tile_pair. Each band keeps its own sums, added up in
// order at the end, so that neither threads nor processes change them: those of a band are whole in
// one process, and add() of a Split brings them together. Empty where they are not wanted here.
template <class T, class Weights, class Pairs>
Matrix tiled_contractions(const TiledKernel<T>& kernel, const std::vector<Weights>& weights,
                          const Pairs& pairs,
                          const std::function<bool(double*, Index)>& add = undivided().add) {
  const ContractionSums<T> contraction(kernel);
  const Index count = contraction.size();
  const auto columns = static_cast<Index>(weights.size());
  Matrix sums = Matrix::Zero(count * columns, pairs.bands());
  pairs.for_each([&](Index i, Index j, Index band) {
    alignas(64) T w[simd::kTileSize];
    thread_local TileSlopes<T> slopes;
    slopes.compute(kernel, i, j);
    for (Index c = 0; c < columns; ++c) {
      weights[c].tile(i, j, w);
      slopes.contract(w, sums.col(band).data() + c * count);
    }
  });
  if (!add(sums.data(), sums.size())) return {};
  Vector total = Vector::Zero(count * columns);
  for (Index band = 0; band < sums.cols(); ++band) total += sums.col(band);
  Matrix result(kernel.parameter_count(), columns);
  for (Index c = 0; c < columns; ++c) {
    result.col(c) = kernel.variance() * weights[c].scale() *
                    contraction.by_parameter(total.segment(c * count, count));
  }
  return result;
}

}  // namespace ulisse
