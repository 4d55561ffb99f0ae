// A tile of kernel values times a block of right-hand sides. Included once for each target.
#if defined(ULISSE_SIMD_PRODUCTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ULISSE_SIMD_PRODUCTS_INL_H_
#undef ULISSE_SIMD_PRODUCTS_INL_H_
#else
#define ULISSE_SIMD_PRODUCTS_INL_H_
#endif

#include <hwy/highway.h>

#include "covariance/simd/pairs-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ulisse::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// y += v in double, for either precision of v.
template <class D>
requires(sizeof(hn::TFromD<D>) == 8) HWY_INLINE
    void add_to_double(D tag, hn::VFromD<D> v, double* HWY_RESTRICT y) {
  hn::StoreU(hn::Add(hn::LoadU(tag, y), v), tag, y);
}
template <class D>
requires(sizeof(hn::TFromD<D>) == 4) HWY_INLINE
    void add_to_double(D, hn::VFromD<D> v, double* HWY_RESTRICT y) {
#if HWY_TARGET == HWY_SCALAR
  y[0] += static_cast<double>(hn::GetLane(v));
#else
  const hn::Half<D> half;
  const hn::Rebind<double, decltype(half)> wide;
  constexpr Index lanes = hn::MaxLanes(wide);
  add_to_double(wide, hn::PromoteTo(wide, hn::LowerHalf(half, v)), y);
  add_to_double(wide, hn::PromoteTo(wide, hn::UpperHalf(half, v)), y + lanes);
#endif
}

// y[row, c] += sum_p k[row * row_stride + p * step] v[p, c] for `Rows` rows and `Vectors` vectors
// of columns: one register block of a matrix product, all sums in registers.
template <Index Rows, Index Vectors, class D, class T = hn::TFromD<D>>
HWY_INLINE void product_block(D tag, const T* HWY_RESTRICT k, Index row_stride, Index step,
                              Index columns, const T* HWY_RESTRICT v, double* HWY_RESTRICT y) {
  using V = hn::VFromD<D>;
  constexpr Index lanes = hn::MaxLanes(D());
  V sum[Rows][Vectors];
  ULISSE_UNROLL for (Index r = 0; r < Rows; ++r) {
    ULISSE_UNROLL for (Index c = 0; c < Vectors; ++c) sum[r][c] = hn::Zero(tag);
  }
  for (Index p = 0; p < kTile; ++p) {
    V value[Vectors];
    ULISSE_UNROLL for (Index c = 0; c < Vectors; ++c) {
      value[c] = hn::LoadU(tag, v + p * columns + c * lanes);  // 12 columns: rows off alignment
    }
    ULISSE_UNROLL for (Index r = 0; r < Rows; ++r) {
      const V weight = hn::Set(tag, k[r * row_stride + p * step]);
      ULISSE_UNROLL for (Index c = 0; c < Vectors; ++c) {
        sum[r][c] = hn::MulAdd(weight, value[c], sum[r][c]);
      }
    }
  }
  ULISSE_UNROLL for (Index r = 0; r < Rows; ++r) {
    ULISSE_UNROLL for (Index c = 0; c < Vectors; ++c) {
      add_to_double(tag, sum[r][c], y + r * columns + c * lanes);
    }
  }
}

// y += k v (row_stride = kTile, step = 1) or y += k' v (row_stride = 1, step = kTile).
template <class T>
HWY_INLINE void product(const T* k, Index row_stride, Index step, Index columns, const T* v,
                        double* y) {
  const Full<T> full;
  const hn::CappedTag<T, kColumnPad> narrow;
  constexpr Index lanes = hn::MaxLanes(full);
  constexpr Index narrow_lanes = hn::MaxLanes(narrow);
  Index c = 0;
  for (; c + 2 * lanes <= columns; c += 2 * lanes) {
    for (Index r = 0; r < kTile; r += 6) {
      product_block<6, 2>(full, k + r * row_stride, row_stride, step, columns, v + c,
                          y + r * columns + c);
    }
  }
  for (; c + lanes <= columns; c += lanes) {
    for (Index r = 0; r < kTile; r += 12) {
      product_block<12, 1>(full, k + r * row_stride, row_stride, step, columns, v + c,
                           y + r * columns + c);
    }
  }
  for (; c < columns; c += narrow_lanes) {
    for (Index r = 0; r < kTile; r += 12) {
      product_block<12, 1>(narrow, k + r * row_stride, row_stride, step, columns, v + c,
                           y + r * columns + c);
    }
  }
}

template <class T>
void multiply(const T* k, Index columns, const T* vi, const T* vj, double* yi, double* yj) {
  product(k, kTile, 1, columns, vj, yi);
  if (yj != nullptr) product(k, 1, kTile, columns, vi, yj);
}

}  // namespace ulisse::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
