// Sums over all pairs of two tiles' points, a block of pairs in registers at a time. Included once
// for each target.
#if defined(ULISSE_SIMD_PAIRS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ULISSE_SIMD_PAIRS_INL_H_
#undef ULISSE_SIMD_PAIRS_INL_H_
#else
#define ULISSE_SIMD_PAIRS_INL_H_
#endif

#include <hwy/highway.h>

#include "kernel/simd/tiles.h"
#include "kernel/simd/unroll.h"

HWY_BEFORE_NAMESPACE();
namespace ulisse::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Full = hn::ScalableTag<T>;

// Sums over a list of terms for a block of 3 rows by 3 vectors of pairs: 9 sums in registers, 3 for
// the columns, 2 for the row and a difference make 14 of the 16 registers that AVX2 has.
template <class T>
struct PairBlock {
  using V = hn::VFromD<Full<T>>;
  static constexpr Index rows = 3, vectors = 3;
  static constexpr Index lanes = hn::MaxLanes(Full<T>());
  static constexpr Index width = vectors * lanes;
  V sum[rows][vectors];

  HWY_INLINE PairBlock() {
    ULISSE_UNROLL for (Index r = 0; r < rows; ++r) {
      ULISSE_UNROLL for (Index v = 0; v < vectors; ++v) sum[r][v] = hn::Zero(Full<T>());
    }
  }

  // sum = step(left_c, right_c, sum) for c = 0, ..., terms - 1
  template <class Step>
  HWY_INLINE void accumulate(Index terms, const T* HWY_RESTRICT left, const T* HWY_RESTRICT right,
                             Step step) {
    const Full<T> tag;
    for (Index c = 0; c < terms; ++c) {
      V column[vectors];
      ULISSE_UNROLL for (Index v = 0; v < vectors; ++v) {
        column[v] = hn::Load(tag, right + c * kTile + v * lanes);
      }
      ULISSE_UNROLL for (Index r = 0; r < rows; ++r) {
        const V row = hn::Set(tag, left[c * kTile + r]);
        ULISSE_UNROLL for (Index v = 0; v < vectors; ++v) {
          sum[r][v] = step(row, column[v], sum[r][v]);
        }
      }
    }
  }

  // sum += min((left_c - right_c)^2, most_c)
  HWY_INLINE void accumulate_categories(Index count, const T* HWY_RESTRICT left,
                                        const T* HWY_RESTRICT right, const T* HWY_RESTRICT most) {
    const Full<T> tag;
    for (Index c = 0; c < count; ++c) {
      const V limit = hn::Set(tag, most[c]);
      ULISSE_UNROLL for (Index r = 0; r < rows; ++r) {
        const V row = hn::Set(tag, left[c * kTile + r]);
        ULISSE_UNROLL for (Index v = 0; v < vectors; ++v) {
          const V difference = hn::Sub(row, hn::Load(tag, right + c * kTile + v * lanes));
          sum[r][v] = hn::Add(sum[r][v], hn::Min(hn::Mul(difference, difference), limit));
        }
      }
    }
  }

  template <class Last>
  HWY_INLINE void store(T* HWY_RESTRICT out, Last last) const {
    ULISSE_UNROLL for (Index r = 0; r < rows; ++r) {
      ULISSE_UNROLL for (Index v = 0; v < vectors; ++v) {
        hn::Store(last(sum[r][v]), Full<T>(), out + r * kTile + v * lanes);
      }
    }
  }
};

// Differences, not |x|^2 + |x'|^2 - 2 x.x': that form loses all digits for close points far from
// the origin, and the subtractions run beside the multiply-adds on machines that add elsewhere.
struct SquaredDifference {
  template <class V>
  HWY_INLINE V operator()(V row, V column, V sum) const {
    const V difference = hn::Sub(row, column);
    return hn::MulAdd(difference, difference, sum);
  }
};
struct Multiply {
  template <class V>
  HWY_INLINE V operator()(V row, V column, V sum) const {
    return hn::MulAdd(row, column, sum);
  }
};

// Squares may overflow to infinity, and infinity times a kernel value of 0 is not a number. This is
// as far for every shape.
template <class T>
constexpr T kFar = static_cast<T>(sizeof(T) == 8 ? 1e200 : 1e30);

template <class T>
struct AtMostFar {
  template <class V>
  HWY_INLINE V operator()(V squared) const {
    return hn::Min(squared, hn::Set(Full<T>(), kFar<T>));
  }
};

struct AsItIs {
  template <class V>
  HWY_INLINE V operator()(V v) const {
    return v;
  }
};

template <class T, class Last>
HWY_INLINE void squared_distances(Extent<T> d, const T* xi, const T* xj, T* t, Last last) {
  const Index behind = d.numbers * kTile;
  for (Index a = 0; a < kTile; a += PairBlock<T>::rows) {
    for (Index b = 0; b < kTile; b += PairBlock<T>::width) {
      PairBlock<T> block;
      block.accumulate(d.numbers, xi + a, xj + b, SquaredDifference());
      if (d.categories > 0) {
        block.accumulate_categories(d.categories, xi + behind + a, xj + behind + b, d.most);
      }
      block.store(t + a * kTile + b, last);
    }
  }
}

template <class T>
void outer(Index columns, bool symmetric, const T* ui, const T* vi, const T* uj, const T* vj,
           T* w) {
  for (Index a = 0; a < kTile; a += PairBlock<T>::rows) {
    for (Index b = 0; b < kTile; b += PairBlock<T>::width) {
      PairBlock<T> block;
      block.accumulate(columns, ui + a, vj + b, Multiply());
      if (symmetric) block.accumulate(columns, vi + a, uj + b, Multiply());
      block.store(w + a * kTile + b, AsItIs());
    }
  }
}

}  // namespace ulisse::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
