// Derivatives of quadratic forms on a tile: slopes of the shape, and their sums with weights.
// Included once for each target.
#if defined(ULISSE_SIMD_FORMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ULISSE_SIMD_FORMS_INL_H_
#undef ULISSE_SIMD_FORMS_INL_H_
#else
#define ULISSE_SIMD_FORMS_INL_H_
#endif

#include <hwy/highway.h>

#include "kernel/simd/pairs-inl.h"
#include "kernel/simd/shapes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ulisse::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class V>
HWY_INLINE double sum_of_lanes(V v) {
  const hn::DFromV<V> tag;
  return static_cast<double>(hn::GetLane(hn::SumOfLanes(tag, v)));
}

// Four sums in flight hide the latency of the additions.
constexpr Index kSums = 4;

template <class T>
struct LaneSums {
  using V = hn::VFromD<Full<T>>;
  V part[kSums];

  HWY_INLINE LaneSums() {
    ULISSE_UNROLL for (Index v = 0; v < kSums; ++v) part[v] = hn::Zero(Full<T>());
  }
  HWY_INLINE double total() const {
    return sum_of_lanes(hn::Add(hn::Add(part[0], part[1]), hn::Add(part[2], part[3])));
  }
};

// k = shape(t), t becomes shape'(t), times t if asked for.
template <class Functor, class T>
HWY_INLINE void slope_values(bool times_distance, T* HWY_RESTRICT t, T* HWY_RESTRICT k) {
  const Full<T> tag;
  using V = hn::VFromD<Full<T>>;
  constexpr Index lanes = hn::MaxLanes(Full<T>());
  constexpr Index count = 2;
  for (Index p = 0; p < kTileSize; p += count * lanes) {
    V value[count], slope[count];
    ULISSE_UNROLL for (Index v = 0; v < count; ++v) value[v] = hn::Load(tag, t + p + v * lanes);
    Functor::values(tag, value, slope);
    ULISSE_UNROLL for (Index v = 0; v < count; ++v) {
      if (times_distance) slope[v] = hn::Mul(slope[v], hn::Load(tag, t + p + v * lanes));
      hn::Store(value[v], tag, k + p + v * lanes);
      hn::Store(slope[v], tag, t + p + v * lanes);
    }
  }
}

template <class T>
void slopes(Shape shape, Extent<T> d, bool times_distance, const T* xi, const T* xj, T* k, T* s) {
  squared_distances(d, xi, xj, s, AtMostFar<T>());
  with_shape(shape,
             [&](auto functor) HWY_ATTR { slope_values<decltype(functor)>(times_distance, s, k); });
}

// sums[0] += w . k, sums[1] += w . s
template <class T>
void contract(const T* HWY_RESTRICT k, const T* HWY_RESTRICT s, const T* HWY_RESTRICT w,
              double* sums) {
  const Full<T> tag;
  using V = hn::VFromD<Full<T>>;
  constexpr Index lanes = hn::MaxLanes(Full<T>());
  LaneSums<T> k_sums, s_sums;
  for (Index p = 0; p < kTileSize; p += kSums * lanes) {
    ULISSE_UNROLL for (Index v = 0; v < kSums; ++v) {
      const Index at = p + v * lanes;
      const V weight = hn::Load(tag, w + at);
      k_sums.part[v] = hn::MulAdd(weight, hn::Load(tag, k + at), k_sums.part[v]);
      s_sums.part[v] = hn::MulAdd(weight, hn::Load(tag, s + at), s_sums.part[v]);
    }
  }
  sums[0] += k_sums.total();
  sums[1] += s_sums.total();
}

// sums[0] += w . k, sums[1] += w . s, sums[2] += w . r
template <class T>
void contract_product(const T* HWY_RESTRICT k, const T* HWY_RESTRICT s, const T* HWY_RESTRICT r,
                      const T* HWY_RESTRICT w, double* sums) {
  const Full<T> tag;
  using V = hn::VFromD<Full<T>>;
  constexpr Index lanes = hn::MaxLanes(Full<T>());
  LaneSums<T> values, left, right;
  for (Index p = 0; p < kTileSize; p += kSums * lanes) {
    ULISSE_UNROLL for (Index v = 0; v < kSums; ++v) {
      const Index at = p + v * lanes;
      const V weight = hn::Load(tag, w + at);
      values.part[v] = hn::MulAdd(weight, hn::Load(tag, k + at), values.part[v]);
      left.part[v] = hn::MulAdd(weight, hn::Load(tag, s + at), left.part[v]);
      right.part[v] = hn::MulAdd(weight, hn::Load(tag, r + at), right.part[v]);
    }
  }
  sums[0] += values.total();
  sums[1] += left.total();
  sums[2] += right.total();
}

// sum += w . k; w becomes w s.
template <class T>
HWY_INLINE void weigh(const T* HWY_RESTRICT k, const T* HWY_RESTRICT s, T* HWY_RESTRICT w,
                      double* sum) {
  const Full<T> tag;
  using V = hn::VFromD<Full<T>>;
  constexpr Index lanes = hn::MaxLanes(Full<T>());
  LaneSums<T> k_sums;
  for (Index p = 0; p < kTileSize; p += kSums * lanes) {
    ULISSE_UNROLL for (Index v = 0; v < kSums; ++v) {
      const Index at = p + v * lanes;
      const V weight = hn::Load(tag, w + at);
      k_sums.part[v] = hn::MulAdd(weight, hn::Load(tag, k + at), k_sums.part[v]);
      hn::Store(hn::Mul(weight, hn::Load(tag, s + at)), tag, w + at);
    }
  }
  *sum += k_sums.total();
}

// sum[c] += sum_ab w_ab min((xi_c,a - xj_c,b)^2, most_c) for `count` coordinates.
template <class T>
HWY_INLINE void contract_coordinates(Index count, const T* HWY_RESTRICT xi,
                                     const T* HWY_RESTRICT xj, const T* HWY_RESTRICT most,
                                     const T* HWY_RESTRICT w,
                                     hn::VFromD<Full<T>>* HWY_RESTRICT sum) {
  const Full<T> tag;
  using V = hn::VFromD<Full<T>>;
  using B = PairBlock<T>;
  for (Index a = 0; a < kTile; a += B::rows) {
    for (Index b = 0; b < kTile; b += B::width) {
      for (Index c = 0; c < count; ++c) {
        V partial[B::vectors];
        const V limit = hn::Set(tag, most[c]);
        ULISSE_UNROLL for (Index v = 0; v < B::vectors; ++v) partial[v] = hn::Zero(tag);
        ULISSE_UNROLL for (Index r = 0; r < B::rows; ++r) {
          const V row = hn::Set(tag, xi[c * kTile + a + r]);
          ULISSE_UNROLL for (Index v = 0; v < B::vectors; ++v) {
            const V difference = hn::Sub(row, hn::Load(tag, xj + c * kTile + b + v * B::lanes));
            const V weight = hn::Load(tag, w + (a + r) * kTile + b + v * B::lanes);
            const V squared = hn::Min(hn::Mul(difference, difference), limit);
            partial[v] = hn::MulAdd(weight, squared, partial[v]);
          }
        }
        sum[c] = hn::Add(sum[c], hn::Add(partial[0], hn::Add(partial[1], partial[2])));
      }
    }
  }
}

template <class T>
void contract_by_coordinate(Extent<T> d, const T* xi, const T* xj, const T* k, const T* s, T* w,
                            double* sums) {
  weigh(k, s, w, sums);
  constexpr Index chunk = 16;
  using V = hn::VFromD<Full<T>>;
  for (Index c = 0; c < d.all(); c += chunk) {
    V sum[chunk];
    T most[chunk];
    const Index count = d.all() - c < chunk ? d.all() - c : chunk;
    for (Index p = 0; p < count; ++p) {
      sum[p] = hn::Zero(Full<T>());
      most[p] = c + p < d.numbers ? kFar<T> : d.most[c + p - d.numbers];
    }
    contract_coordinates(count, xi + c * kTile, xj + c * kTile, most, w, sum);
    for (Index p = 0; p < count; ++p) sums[1 + c + p] += sum_of_lanes(sum[p]);
  }
}

// k = a k + b other
template <class T>
void combine(T* k, T a, const T* other, T b) {
  const Full<T> tag;
  const auto left = hn::Set(tag, a), right = hn::Set(tag, b);
  for (Index p = 0; p < kTileSize; p += hn::MaxLanes(tag)) {
    const auto scaled = hn::Mul(left, hn::Load(tag, k + p));
    hn::Store(hn::MulAdd(right, hn::Load(tag, other + p), scaled), tag, k + p);
  }
}

// out = k other
template <class T>
void multiply_values(const T* k, const T* other, T* out) {
  const Full<T> tag;
  for (Index p = 0; p < kTileSize; p += hn::MaxLanes(tag)) {
    hn::Store(hn::Mul(hn::Load(tag, k + p), hn::Load(tag, other + p)), tag, out + p);
  }
}

}  // namespace ulisse::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
