#include "covariance/simd/tiles.h"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "covariance/simd/tiles.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "covariance/simd/shapes-inl.h"

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
struct AtMostFar {
  template <class V>
  HWY_INLINE V operator()(V squared) const {
    return hn::Min(squared, hn::Set(Full<T>(), static_cast<T>(sizeof(T) == 8 ? 1e200 : 1e30)));
  }
};

struct AsItIs {
  template <class V>
  HWY_INLINE V operator()(V v) const {
    return v;
  }
};

template <class T>
HWY_INLINE void squared_distances(Index d, const T* xi, const T* xj, T* t) {
  for (Index a = 0; a < kTile; a += PairBlock<T>::rows) {
    for (Index b = 0; b < kTile; b += PairBlock<T>::width) {
      PairBlock<T> block;
      block.accumulate(d, xi + a, xj + b, SquaredDifference());
      block.store(t + a * kTile + b, AtMostFar<T>());
    }
  }
}

// A second pass over the tile, in the first-level cache: applied to the distances while they are
// still in registers, the same functor is a tenth slower, for want of registers.
constexpr Index kInFlight = 4;

template <class Functor, class T>
HWY_INLINE void apply_shape(T* HWY_RESTRICT k) {
  const Full<T> tag;
  using V = hn::VFromD<Full<T>>;
  constexpr Index lanes = hn::MaxLanes(Full<T>());
  static_assert(kTileSize % (kInFlight * lanes) == 0);
  for (Index p = 0; p < kTileSize; p += kInFlight * lanes) {
    V t[kInFlight];
    ULISSE_UNROLL for (Index v = 0; v < kInFlight; ++v) t[v] = hn::Load(tag, k + p + v * lanes);
    Functor::values(tag, t);
    ULISSE_UNROLL for (Index v = 0; v < kInFlight; ++v) hn::Store(t[v], tag, k + p + v * lanes);
  }
}

template <class T>
void values(Shape shape, Index d, const T* xi, const T* xj, T* k) {
  squared_distances(d, xi, xj, k);
  with_shape(shape, [k](auto functor) HWY_ATTR { apply_shape<decltype(functor)>(k); });
}

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

template <class V>
HWY_INLINE double sum_of_lanes(V v) {
  const hn::DFromV<V> tag;
  return static_cast<double>(hn::GetLane(hn::SumOfLanes(tag, v)));
}

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
void slopes(Shape shape, Index d, bool times_distance, const T* xi, const T* xj, T* k, T* s) {
  squared_distances(d, xi, xj, s);
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
  constexpr Index count = 4;  // sums in flight, to hide their latency
  V value_sum[count], slope_sum[count];
  ULISSE_UNROLL for (Index v = 0; v < count; ++v) value_sum[v] = slope_sum[v] = hn::Zero(tag);
  for (Index p = 0; p < kTileSize; p += count * lanes) {
    ULISSE_UNROLL for (Index v = 0; v < count; ++v) {
      const Index at = p + v * lanes;
      const V weight = hn::Load(tag, w + at);
      value_sum[v] = hn::MulAdd(weight, hn::Load(tag, k + at), value_sum[v]);
      slope_sum[v] = hn::MulAdd(weight, hn::Load(tag, s + at), slope_sum[v]);
    }
  }
  sums[0] += sum_of_lanes(
      hn::Add(hn::Add(value_sum[0], value_sum[1]), hn::Add(value_sum[2], value_sum[3])));
  sums[1] += sum_of_lanes(
      hn::Add(hn::Add(slope_sum[0], slope_sum[1]), hn::Add(slope_sum[2], slope_sum[3])));
}

// sum += w . k; w becomes w s.
template <class T>
HWY_INLINE void weigh(const T* HWY_RESTRICT k, const T* HWY_RESTRICT s, T* HWY_RESTRICT w,
                      double* sum) {
  const Full<T> tag;
  using V = hn::VFromD<Full<T>>;
  constexpr Index lanes = hn::MaxLanes(Full<T>());
  constexpr Index count = 4;
  V value_sum[count];
  ULISSE_UNROLL for (Index v = 0; v < count; ++v) value_sum[v] = hn::Zero(tag);
  for (Index p = 0; p < kTileSize; p += count * lanes) {
    ULISSE_UNROLL for (Index v = 0; v < count; ++v) {
      const Index at = p + v * lanes;
      const V weight = hn::Load(tag, w + at);
      value_sum[v] = hn::MulAdd(weight, hn::Load(tag, k + at), value_sum[v]);
      hn::Store(hn::Mul(weight, hn::Load(tag, s + at)), tag, w + at);
    }
  }
  *sum += sum_of_lanes(
      hn::Add(hn::Add(value_sum[0], value_sum[1]), hn::Add(value_sum[2], value_sum[3])));
}

// sum[c] += sum_ab w_ab (xi_c,a - xj_c,b)^2 for `count` coordinates.
template <class T>
HWY_INLINE void contract_coordinates(Index count, const T* HWY_RESTRICT xi,
                                     const T* HWY_RESTRICT xj, const T* HWY_RESTRICT w,
                                     hn::VFromD<Full<T>>* HWY_RESTRICT sum) {
  const Full<T> tag;
  using V = hn::VFromD<Full<T>>;
  using B = PairBlock<T>;
  for (Index a = 0; a < kTile; a += B::rows) {
    for (Index b = 0; b < kTile; b += B::width) {
      for (Index c = 0; c < count; ++c) {
        V partial[B::vectors];
        ULISSE_UNROLL for (Index v = 0; v < B::vectors; ++v) partial[v] = hn::Zero(tag);
        ULISSE_UNROLL for (Index r = 0; r < B::rows; ++r) {
          const V row = hn::Set(tag, xi[c * kTile + a + r]);
          ULISSE_UNROLL for (Index v = 0; v < B::vectors; ++v) {
            const V difference = hn::Sub(row, hn::Load(tag, xj + c * kTile + b + v * B::lanes));
            const V weight = hn::Load(tag, w + (a + r) * kTile + b + v * B::lanes);
            const V squared = AtMostFar<T>()(hn::Mul(difference, difference));
            partial[v] = hn::MulAdd(weight, squared, partial[v]);
          }
        }
        sum[c] = hn::Add(sum[c], hn::Add(partial[0], hn::Add(partial[1], partial[2])));
      }
    }
  }
}

template <class T>
void contract_by_coordinate(Index d, const T* xi, const T* xj, const T* k, const T* s, T* w,
                            double* sums) {
  weigh(k, s, w, sums);
  constexpr Index chunk = 16;
  using V = hn::VFromD<Full<T>>;
  for (Index c = 0; c < d; c += chunk) {
    V sum[chunk];
    const Index count = d - c < chunk ? d - c : chunk;
    for (Index p = 0; p < count; ++p) sum[p] = hn::Zero(Full<T>());
    contract_coordinates(count, xi + c * kTile, xj + c * kTile, w, sum);
    for (Index p = 0; p < count; ++p) sums[1 + c + p] += sum_of_lanes(sum[p]);
  }
}

template <class T>
const TileOps<T>* table() {
  static constexpr TileOps<T> ops = {values<T>, multiply<T>, outer<T>,
                                     slopes<T>, contract<T>, contract_by_coordinate<T>};
  return &ops;
}
const TileOps<double>* double_table() { return table<double>(); }
const TileOps<float>* float_table() { return table<float>(); }
const char* name() { return hwy::TargetName(HWY_TARGET); }

}  // namespace ulisse::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ulisse::simd {

HWY_EXPORT(double_table);
HWY_EXPORT(float_table);
HWY_EXPORT(name);

// Looked up anew each time (a load and a jump, once a product), so that tests can choose the
// target.
template <>
const TileOps<double>& tile_ops() {
  return *HWY_DYNAMIC_DISPATCH(double_table)();
}

template <>
const TileOps<float>& tile_ops() {
  return *HWY_DYNAMIC_DISPATCH(float_table)();
}

const char* target_name() { return HWY_DYNAMIC_DISPATCH(name)(); }

double coordinate_scale(Shape shape) {
  const double log2e = std::log2(std::exp(1.0));
  switch (shape) {
    case Shape::rbf:
      return std::sqrt(log2e);
    case Shape::matern12:
      return log2e;
    case Shape::matern32:
      return std::sqrt(3.0) * log2e;
    case Shape::matern52:
      return std::sqrt(5.0) * log2e;
  }
  return 0;
}

}  // namespace ulisse::simd
#endif
