// A tile of kernel values times a block of right-hand sides. Included once for each target.
#if defined(ULISSE_SIMD_PRODUCTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ULISSE_SIMD_PRODUCTS_INL_H_
#undef ULISSE_SIMD_PRODUCTS_INL_H_
#else
#define ULISSE_SIMD_PRODUCTS_INL_H_
#endif

#include <hwy/highway.h>

#include <cstring>

#include "kernel/simd/pairs-inl.h"

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
  if constexpr (2 * hn::MaxLanes(D()) <= hn::MaxLanes(Full<float>())) {
    const hn::Rebind<double, D> wide;
    add_to_double(wide, hn::PromoteTo(wide, v), y);
  } else {
    const hn::Half<D> half;
    add_to_double(half, hn::LowerHalf(half, v), y);
    add_to_double(half, hn::UpperHalf(half, v), y + hn::MaxLanes(half));
  }
#endif
}

// Sums in registers for one vector of columns. AVX-512 has 32 registers, AVX2 has 16.
constexpr Index kRows = HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3 ? 24 : 12;

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

// Half as many columns as a vector has lanes: two points share a vector, so that none of it is
// idle. Each multiply-add takes two neighbours of a row of k, which one instruction loads into all
// of a vector: k0 k1 k0 k1 ... For float alone, the two of them are then 64 bits.
#if HWY_TARGET == HWY_SCALAR
template <class D>
struct Paired {
  static constexpr bool pays = false;
};
#else
template <class D>
struct Paired {
  using V = hn::VFromD<D>;
  static constexpr Index lanes = hn::MaxLanes(D());
  static constexpr Index columns = lanes / 2;
  static constexpr bool pays = sizeof(hn::TFromD<D>) == 4 && columns >= kColumnPad;

  static HWY_INLINE V two_values(const float* k) {
    double both;
    std::memcpy(&both, k, sizeof both);
    return hn::BitCast(D(), hn::Set(hn::Repartition<double, D>(), both));
  }

  // The columns of one point, or of two neighbours.
  static HWY_INLINE V one_row(const float* v) {
    return hn::ZeroExtendVector(D(), hn::LoadU(hn::Half<D>(), v));
  }
  static HWY_INLINE V two_rows(const float* v, Index stride) {
    if (stride == columns) return hn::LoadU(D(), v);
    return hn::Combine(D(), hn::LoadU(hn::Half<D>(), v + stride), hn::LoadU(hn::Half<D>(), v));
  }
  static HWY_INLINE V in_order(V v, const int* order) {
    return hn::TableLookupLanes(v, hn::SetTableIndices(D(), order));
  }

  // Halves of v to two rows of y.
  static HWY_INLINE void add_halves(V v, double* HWY_RESTRICT low, double* HWY_RESTRICT high) {
    const hn::Half<D> half;
    add_to_double(half, hn::LowerHalf(half, v), low);
    add_to_double(half, hn::UpperHalf(half, v), high);
  }

  // y += k v: sums of even and of odd points side by side, added at the end.
  static HWY_INLINE void rows(const float* HWY_RESTRICT k, Index stride,
                              const float* HWY_RESTRICT v, double* HWY_RESTRICT y) {
    HWY_ALIGN float pairs[kTile / 2 * lanes];
    HWY_ALIGN int order[lanes];
    for (Index c = 0; c < columns; ++c) {
      order[2 * c] = static_cast<int>(c);
      order[2 * c + 1] = static_cast<int>(c + columns);
    }
    for (Index p = 0; p < kTile; p += 2) {
      hn::Store(in_order(two_rows(v + p * stride, stride), order), D(), pairs + p / 2 * lanes);
    }
    for (Index first = 0; first < kTile; first += kRows) {
      V sum[kRows];
      ULISSE_UNROLL for (Index r = 0; r < kRows; ++r) sum[r] = hn::Zero(D());
      for (Index p = 0; p < kTile; p += 2) {
        const V value = hn::Load(D(), pairs + p / 2 * lanes);
        ULISSE_UNROLL for (Index r = 0; r < kRows; ++r) {
          sum[r] = hn::MulAdd(two_values(k + (first + r) * kTile + p), value, sum[r]);
        }
      }
      double* const out = y + first * stride;
      ULISSE_UNROLL for (Index r = 0; r < kRows; r += 2) {
        const V even = hn::ConcatEven(D(), sum[r + 1], sum[r]);
        const V odd = hn::ConcatOdd(D(), sum[r + 1], sum[r]);
        add_halves(hn::Add(even, odd), out + r * stride, out + (r + 1) * stride);
      }
    }
  }

  // y += k' v: sums of two points of y side by side.
  static HWY_INLINE void transposed(const float* HWY_RESTRICT k, Index stride,
                                    const float* HWY_RESTRICT v, double* HWY_RESTRICT y) {
    HWY_ALIGN float twice[kTile * lanes];
    HWY_ALIGN int order[lanes];
    for (Index c = 0; c < lanes; ++c) order[c] = static_cast<int>(c / 2);
    for (Index p = 0; p < kTile; ++p) {
      hn::Store(in_order(one_row(v + p * stride), order), D(), twice + p * lanes);
    }
    for (Index first = 0; first < kTile; first += 2 * kRows) {
      V sum[kRows];
      ULISSE_UNROLL for (Index r = 0; r < kRows; ++r) sum[r] = hn::Zero(D());
      for (Index p = 0; p < kTile; ++p) {
        const V value = hn::Load(D(), twice + p * lanes);
        ULISSE_UNROLL for (Index r = 0; r < kRows; ++r) {
          sum[r] = hn::MulAdd(two_values(k + p * kTile + first + 2 * r), value, sum[r]);
        }
      }
      double* const out = y + first * stride;
      ULISSE_UNROLL for (Index r = 0; r < kRows; r += 2) {
        const V even = hn::ConcatEven(D(), sum[r + 1], sum[r]);
        const V odd = hn::ConcatOdd(D(), sum[r + 1], sum[r]);
        add_halves(even, out + 2 * r * stride, out + (2 * r + 2) * stride);
        add_halves(odd, out + (2 * r + 1) * stride, out + (2 * r + 3) * stride);
      }
    }
  }
};
#endif

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
    for (Index r = 0; r < kTile; r += kRows / 2) {
      product_block<kRows / 2, 2>(full, k + r * row_stride, row_stride, step, columns, v + c,
                                  y + r * columns + c);
    }
  }
  for (; c + lanes <= columns; c += lanes) {
    for (Index r = 0; r < kTile; r += kRows) {
      product_block<kRows, 1>(full, k + r * row_stride, row_stride, step, columns, v + c,
                              y + r * columns + c);
    }
  }
  if constexpr (Paired<Full<T>>::pays) {
    for (; c + lanes / 2 <= columns; c += lanes / 2) {
      if (step == 1) {
        Paired<Full<T>>::rows(k, columns, v + c, y + c);
      } else {
        Paired<Full<T>>::transposed(k, columns, v + c, y + c);
      }
    }
  }
  for (; c < columns; c += narrow_lanes) {
    for (Index r = 0; r < kTile; r += kRows) {
      product_block<kRows, 1>(narrow, k + r * row_stride, row_stride, step, columns, v + c,
                              y + r * columns + c);
    }
  }
}

template <class T>
void multiply(const T* k, Index columns, const T* vi, const T* vj, double* yi, double* yj) {
  product(k, kTile, 1, columns, vj, yi);
  if (yj != nullptr) product(k, 1, kTile, columns, vi, yj);
}

inline void add_on_grid(const Grid& grid, Index count, const double* HWY_RESTRICT sums,
                        double* HWY_RESTRICT high, double* HWY_RESTRICT low) {
  const Full<double> tag;
  const auto coarse = hn::Set(tag, grid.coarse), fine = hn::Set(tag, grid.fine);
  for (Index p = 0; p < count; p += hn::MaxLanes(tag)) {
    const auto s = hn::Load(tag, sums + p);
    const auto rounded = hn::Sub(hn::Add(s, coarse), coarse);
    const auto rest = hn::Sub(hn::Add(hn::Sub(s, rounded), fine), fine);
    hn::Store(hn::Add(hn::Load(tag, high + p), rounded), tag, high + p);
    hn::Store(hn::Add(hn::Load(tag, low + p), rest), tag, low + p);
  }
}

}  // namespace ulisse::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
