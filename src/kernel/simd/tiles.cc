#include "kernel/simd/tiles.h"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/simd/tiles.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernel/simd/forms-inl.h"
#include "kernel/simd/products-inl.h"
#include "kernel/simd/shapes-inl.h"
#include "kernel/simd/terms-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ulisse::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

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
void values(Shape shape, Extent<T> d, const T* xi, const T* xj, T* k) {
  if (shape == Shape::rbf) {
    squared_distances(d, xi, xj, k, AsItIs());  // 2^-inf is 0 as it should be
  } else {
    squared_distances(d, xi, xj, k, AtMostFar<T>());
  }
  with_shape(shape, [k](auto functor) HWY_ATTR { apply_shape<decltype(functor)>(k); });
}

template <class T>
const TileOps<T>* table() {
  static constexpr TileOps<T> ops = {values<T>,
                                     product_of_two<T>,
                                     add_term<T>,
                                     multiply<T>,
                                     outer<T>,
                                     slopes<T>,
                                     contract<T>,
                                     product_slopes<T>,
                                     contract_product<T>,
                                     contract_by_coordinate<T>,
                                     combine<T>,
                                     multiply_values<T>,
                                     add_on_grid};
  return &ops;
}
const TileOps<double>* double_table() { return table<double>(); }
const TileOps<float>* float_table() { return table<float>(); }
const char* name() { return hwy::TargetName(HWY_TARGET); }

}  // namespace ulisse::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernel/simd/instructions.h"

namespace ulisse::simd {

HWY_EXPORT(double_table);
HWY_EXPORT(float_table);
HWY_EXPORT(name);

// Looked up anew each time (a load and a jump, once a product), so that tests can choose the
// target.
template <>
const TileOps<double>& tile_ops() {
  limit_instructions();
  return *HWY_DYNAMIC_DISPATCH(double_table)();
}

template <>
const TileOps<float>& tile_ops() {
  limit_instructions();
  return *HWY_DYNAMIC_DISPATCH(float_table)();
}

const char* target_name() {
  limit_instructions();
  return HWY_DYNAMIC_DISPATCH(name)();
}

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
