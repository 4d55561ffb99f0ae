// The shapes of covariance functions as vectors: one functor each. Included once for each target.
//
// Each takes t = scale^2 * s, where s = sum_k tau_k (x_k - x'_k)^2, and is given coordinates
// already multiplied by scale * sqrt(tau_k): the loop over pairs then has no parameter left in it.
//   values(t)         t becomes the shape at t
//   values(t, slope)  and slope its derivative with respect to t
// N vectors at a time, so that their latencies overlap.
// CONTRIBUTING.md says how to add one.
#if defined(ULISSE_SIMD_SHAPES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ULISSE_SIMD_SHAPES_INL_H_
#undef ULISSE_SIMD_SHAPES_INL_H_
#else
#define ULISSE_SIMD_SHAPES_INL_H_
#endif

#include <hwy/highway.h>

#include "kernel/simd/exp2-inl.h"
#include "ulisse/kernel.h"

HWY_BEFORE_NAMESPACE();
namespace ulisse::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr double kLn2 = 0.693147180559945309417;

template <class D>
HWY_INLINE hn::VFromD<D> constant(D d, double value) {
  return hn::Set(d, static_cast<hn::TFromD<D>>(value));
}

// scale^2 = log2(e): exp(-s) = 2^-t.
struct Rbf {
  template <class D, Index N, class V = hn::VFromD<D>>
  static HWY_INLINE void values(D d, V (&t)[N]) {
    exp2_minus(d, t);
  }
  template <class D, Index N, class V = hn::VFromD<D>>
  static HWY_INLINE void values(D d, V (&t)[N], V (&slope)[N]) {
    exp2_minus(d, t);
    ULISSE_UNROLL for (Index v = 0; v < N; ++v) slope[v] = hn::Mul(t[v], constant(d, -kLn2));
  }
};

// On processors with AVX-512 the square root of eight doubles keeps its unit busy for 17 cycles, as
// long as all the rest of a Matern value. This one takes 5: r = 1/sqrt(t) to 14 bits, h = t r, and
// with e = 1 - h r, at most 2^-13, the series sqrt(t) = h (1 - e)^-1/2 = h (1 + e/2 + 3/8 e^2 +
// 5/16 e^3 + ...), whose first term left out is 2^-54. 0 stays 0.
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
HWY_INLINE hn::Vec512<double> square_root(hn::Vec512<double> t) {
  const hn::DFromV<decltype(t)> d;
  const auto positive = hn::Max(t, constant(d, 1e-300));
  const hn::Vec512<double> r{_mm512_rsqrt14_pd(positive.raw)};
  const auto h = hn::Mul(t, r);
  const auto e = hn::NegMulAdd(h, r, constant(d, 1));
  auto p = hn::MulAdd(e, constant(d, 5.0 / 16), constant(d, 3.0 / 8));
  p = hn::MulAdd(p, e, constant(d, 0.5));
  return hn::MulAdd(hn::Mul(h, e), p, h);
}
#endif
template <class V>
HWY_INLINE V square_root(V t) {
  return hn::Sqrt(t);
}

// The Matern shapes have scale^2 = (2 nu) log2(e)^2: with b = sqrt(t), exp(-a) = 2^-b and a = ln2
// b.
template <class D, Index N, class V = hn::VFromD<D>>
HWY_INLINE void exponentials(D d, const V (&t)[N], V (&b)[N], V (&e)[N]) {
  ULISSE_UNROLL for (Index v = 0; v < N; ++v) e[v] = b[v] = square_root(t[v]);
  exp2_minus(d, e);
}

struct Matern12 {
  template <class D, Index N, class V = hn::VFromD<D>>
  static HWY_INLINE void values(D d, V (&t)[N]) {
    ULISSE_UNROLL for (Index v = 0; v < N; ++v) t[v] = square_root(t[v]);
    exp2_minus(d, t);
  }
  // d/dt 2^-sqrt(t) = -ln2/2 k/b; 0 at t = 0, where only squared differences of 0 multiply it.
  template <class D, Index N, class V = hn::VFromD<D>>
  static HWY_INLINE void values(D d, V (&t)[N], V (&slope)[N]) {
    V b[N], e[N];
    exponentials(d, t, b, e);
    ULISSE_UNROLL for (Index v = 0; v < N; ++v) {
      const V ratio = hn::Div(hn::Mul(e[v], constant(d, -kLn2 / 2)), b[v]);
      slope[v] = hn::IfThenElseZero(hn::Gt(b[v], hn::Zero(d)), ratio);
      t[v] = e[v];
    }
  }
};

// (1 + a) 2^-b, and d/dt of it: -(ln2)^2/2 2^-b
struct Matern32 {
  template <class D, Index N, class V = hn::VFromD<D>>
  static HWY_INLINE void values(D d, V (&t)[N]) {
    V unused[N];
    values(d, t, unused);
  }
  template <class D, Index N, class V = hn::VFromD<D>>
  static HWY_INLINE void values(D d, V (&t)[N], V (&slope)[N]) {
    V b[N], e[N];
    exponentials(d, t, b, e);
    ULISSE_UNROLL for (Index v = 0; v < N; ++v) {
      t[v] = hn::Mul(hn::MulAdd(b[v], constant(d, kLn2), constant(d, 1)), e[v]);
      slope[v] = hn::Mul(e[v], constant(d, -kLn2 * kLn2 / 2));
    }
  }
};

// (1 + a + a^2/3) 2^-b, and d/dt of it: -(ln2)^2/6 (1 + a) 2^-b
struct Matern52 {
  template <class D, Index N, class V = hn::VFromD<D>>
  static HWY_INLINE void values(D d, V (&t)[N]) {
    V unused[N];
    values(d, t, unused);
  }
  template <class D, Index N, class V = hn::VFromD<D>>
  static HWY_INLINE void values(D d, V (&t)[N], V (&slope)[N]) {
    V b[N], e[N];
    exponentials(d, t, b, e);
    ULISSE_UNROLL for (Index v = 0; v < N; ++v) {
      const V one_plus_a = hn::MulAdd(b[v], constant(d, kLn2), constant(d, 1));
      slope[v] = hn::Mul(hn::Mul(one_plus_a, e[v]), constant(d, -kLn2 * kLn2 / 6));
      t[v] = hn::Mul(hn::MulAdd(t[v], constant(d, kLn2 * kLn2 / 3), one_plus_a), e[v]);
    }
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
