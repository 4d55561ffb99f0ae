// The shapes of covariance functions as vectors: one functor each. Included once for each target.
//
// Each takes t = scale^2 * s, where s = sum_k tau_k (x_k - x'_k)^2, and is given coordinates
// already multiplied by scale * sqrt(tau_k): the loop over pairs then has no parameter left in it.
//   value(t)        the shape
//   value_slope(t)  the shape, and its derivative with respect to t
// To add a shape: a functor here, a line in with_shape, its scalar twin in src/model/kernel.cc.
#if defined(ULISSE_SIMD_SHAPES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ULISSE_SIMD_SHAPES_INL_H_
#undef ULISSE_SIMD_SHAPES_INL_H_
#else
#define ULISSE_SIMD_SHAPES_INL_H_
#endif

#include <hwy/highway.h>

#include "covariance/simd/exp2-inl.h"
#include "ulisse/kernel.h"

HWY_BEFORE_NAMESPACE();
namespace ulisse::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr double kLn2 = 0.693147180559945309417;

template <class V>
struct VectorValueSlope {
  V value, slope;
};

// scale^2 = log2(e): exp(-s) = 2^-t.
struct Rbf {
  template <class D, class V = hn::VFromD<D>>
  static HWY_INLINE V value(D d, V t) {
    return exp2_minus(d, t);
  }
  template <class D, class V = hn::VFromD<D>>
  static HWY_INLINE VectorValueSlope<V> value_slope(D d, V t) {
    const V k = exp2_minus(d, t);
    return {k, hn::Mul(k, hn::Set(d, static_cast<hn::TFromD<D>>(-kLn2)))};
  }
};

// The Matern shapes have scale^2 = (2 nu) log2(e)^2: with b = sqrt(t), exp(-a) = 2^-b and a = ln2
// b.
struct Matern12 {
  template <class D, class V = hn::VFromD<D>>
  static HWY_INLINE V value(D d, V t) {
    return exp2_minus(d, hn::Sqrt(t));
  }
  template <class D, class V = hn::VFromD<D>>
  static HWY_INLINE VectorValueSlope<V> value_slope(D d, V t) {
    const V b = hn::Sqrt(t);
    const V k = exp2_minus(d, b);
    // d/dt 2^-sqrt(t) = -ln2/2 k/b; 0 at t = 0, where only squared differences of 0 multiply it.
    const V half_ln2 = hn::Set(d, static_cast<hn::TFromD<D>>(-kLn2 / 2));
    const V slope = hn::Div(hn::Mul(k, half_ln2), b);
    return {k, hn::IfThenElseZero(hn::Gt(b, hn::Zero(d)), slope)};
  }
};

struct Matern32 {
  template <class D, class V = hn::VFromD<D>>
  static HWY_INLINE V value(D d, V t) {
    return value_slope(d, t).value;
  }
  // d/dt (1 + ln2 b) 2^-b = -(ln2)^2/2 2^-b
  template <class D, class V = hn::VFromD<D>>
  static HWY_INLINE VectorValueSlope<V> value_slope(D d, V t) {
    using T = hn::TFromD<D>;
    const V b = hn::Sqrt(t);
    const V e = exp2_minus(d, b);
    const V a1 = hn::MulAdd(b, hn::Set(d, static_cast<T>(kLn2)), hn::Set(d, T(1)));
    return {hn::Mul(a1, e), hn::Mul(e, hn::Set(d, static_cast<T>(-kLn2 * kLn2 / 2)))};
  }
};

struct Matern52 {
  template <class D, class V = hn::VFromD<D>>
  static HWY_INLINE V value(D d, V t) {
    using T = hn::TFromD<D>;
    const V b = hn::Sqrt(t);
    return value_from(d, b, one_plus_a(d, b), exp2_minus(d, b), T());
  }
  // d/dt (1 + a + a^2/3) e^-a = -(ln2)^2/6 (1 + a) e^-a
  template <class D, class V = hn::VFromD<D>>
  static HWY_INLINE VectorValueSlope<V> value_slope(D d, V t) {
    using T = hn::TFromD<D>;
    const V b = hn::Sqrt(t);
    const V e = exp2_minus(d, b);
    const V a1 = one_plus_a(d, b);
    const V slope = hn::Mul(hn::Mul(a1, e), hn::Set(d, static_cast<T>(-kLn2 * kLn2 / 6)));
    return {value_from(d, b, a1, e, T()), slope};
  }

 private:
  template <class D, class V = hn::VFromD<D>>
  static HWY_INLINE V one_plus_a(D d, V b) {
    using T = hn::TFromD<D>;
    return hn::MulAdd(b, hn::Set(d, static_cast<T>(kLn2)), hn::Set(d, T(1)));
  }
  template <class D, class T, class V = hn::VFromD<D>>
  static HWY_INLINE V value_from(D d, V b, V a1, V e, T) {
    const V third = hn::Set(d, static_cast<T>(kLn2 * kLn2 / 3));
    return hn::Mul(hn::MulAdd(hn::Mul(b, b), third, a1), e);
  }
};

// Calls f with the functor of the shape: chosen once a tile, inlined in the loop over pairs.
template <class F>
HWY_INLINE void with_shape(Shape shape, F f) {
  switch (shape) {
    case Shape::rbf:
      return f(Rbf());
    case Shape::matern12:
      return f(Matern12());
    case Shape::matern32:
      return f(Matern32());
    case Shape::matern52:
      return f(Matern52());
  }
}

}  // namespace ulisse::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
