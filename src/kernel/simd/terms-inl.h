// Products of two shapes, each of its own distance, and terms added up, on a tile. Included once
// for each target.
#if defined(ULISSE_SIMD_TERMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ULISSE_SIMD_TERMS_INL_H_
#undef ULISSE_SIMD_TERMS_INL_H_
#else
#define ULISSE_SIMD_TERMS_INL_H_
#endif

#include <hwy/highway.h>

#include <type_traits>

#include "kernel/simd/pairs-inl.h"
#include "kernel/simd/shapes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ulisse::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Stands for a second shape where there is none.
struct NoShape {};

// Every shape is a polynomial times 2^-b. A product of two has one exponential, of the sum of their
// exponents: it is what costs most, and values that are multiplied could be subnormal, which is
// slow.
template <class Functor, class V>
HWY_INLINE V exponent_of(V t) {
  if constexpr (std::is_same_v<Functor, Rbf>) {
    return t;
  } else {
    return square_root(t);
  }
}

// p times the polynomial at t, b its exponent.
template <class Functor, class D, class V>
HWY_INLINE V times_polynomial(D d, V p, V b, V t) {
  if constexpr (std::is_same_v<Functor, Matern32>) {
    return hn::Mul(p, hn::MulAdd(b, constant(d, kLn2), constant(d, 1)));
  } else if constexpr (std::is_same_v<Functor, Matern52>) {
    const V one_plus_a = hn::MulAdd(b, constant(d, kLn2), constant(d, 1));
    return hn::Mul(p, hn::MulAdd(t, constant(d, kLn2 * kLn2 / 3), one_plus_a));
  } else {
    return p;
  }
}

// p times t and the polynomial of the shape's derivative at t, b its exponent.
template <class Functor, class D, class V>
HWY_INLINE V times_slope(D d, V p, V b, V t) {
  if constexpr (std::is_same_v<Functor, Rbf>) {
    return hn::Mul(p, hn::Mul(t, constant(d, -kLn2)));
  } else if constexpr (std::is_same_v<Functor, Matern12>) {
    return hn::Mul(p, hn::Mul(b, constant(d, -kLn2 / 2)));
  } else if constexpr (std::is_same_v<Functor, Matern32>) {
    return hn::Mul(p, hn::Mul(t, constant(d, -kLn2 * kLn2 / 2)));
  } else {
    const V one_plus_a = hn::MulAdd(b, constant(d, kLn2), constant(d, 1));
    return hn::Mul(hn::Mul(p, one_plus_a), hn::Mul(t, constant(d, -kLn2 * kLn2 / 6)));
  }
}

// 2^-b is 0 from here on, and polynomials are still small enough to be multiplied.
constexpr double kGone = 4e6;

template <class T>
struct AtMostGone {
  template <class V>
  HWY_INLINE V operator()(V squared) const {
    return hn::Min(squared, constant(Full<T>(), kGone));
  }
};

// k = value
struct Store {
  template <class D, class V, class T>
  HWY_INLINE void operator()(D d, V value, T* HWY_RESTRICT k) const {
    hn::Store(value, d, k);
  }
};
// k = a k + b value
template <class T>
struct AddTo {
  T a, b;
  template <class D, class V>
  HWY_INLINE void operator()(D d, V value, T* HWY_RESTRICT k) const {
    const V before = hn::Mul(hn::Set(d, a), hn::Load(d, k));
    hn::Store(hn::MulAdd(hn::Set(d, b), value, before), d, k);
  }
};

// first, second: scaled squared distances; the second unused without a second shape.
template <class F, class G, class T, class Last>
HWY_INLINE void apply_product(const T* first, const T* second, Last last, T* k) {
  const Full<T> tag;
  using V = hn::VFromD<Full<T>>;
  constexpr Index lanes = hn::MaxLanes(Full<T>()), count = 4;
  for (Index p = 0; p < kTileSize; p += count * lanes) {
    V e[count], q[count];
    ULISSE_UNROLL for (Index v = 0; v < count; ++v) {
      const V t = hn::Load(tag, first + p + v * lanes);
      e[v] = exponent_of<F>(t);
      q[v] = times_polynomial<F>(tag, constant(tag, 1), e[v], t);
      if constexpr (!std::is_same_v<G, NoShape>) {
        const V s = hn::Load(tag, second + p + v * lanes);
        const V b = exponent_of<G>(s);
        e[v] = hn::Add(e[v], b);
        q[v] = times_polynomial<G>(tag, q[v], b, s);
      }
    }
    exp2_minus(tag, e);
    ULISSE_UNROLL for (Index v = 0; v < count; ++v) {
      last(tag, hn::Mul(e[v], q[v]), k + p + v * lanes);
    }
  }
}

template <class T, class Last>
HWY_INLINE void term(const Distance<T>* shapes, Index count, Last last, T* k) {
  HWY_ALIGN T first[kTileSize];
  squared_distances(shapes[0].d, shapes[0].xi, shapes[0].xj, first, AtMostGone<T>());
  if (count == 1) {
    with_shape(shapes[0].shape, [&](auto f) HWY_ATTR {
      apply_product<decltype(f), NoShape>(first, first, last, k);
    });
    return;
  }
  HWY_ALIGN T second[kTileSize];
  squared_distances(shapes[1].d, shapes[1].xi, shapes[1].xj, second, AtMostGone<T>());
  with_shape(shapes[0].shape, [&](auto f) HWY_ATTR {
    with_shape(shapes[1].shape, [&](auto g) HWY_ATTR {
      apply_product<decltype(f), decltype(g)>(first, second, last, k);
    });
  });
}

template <class T>
void product_of_two(const Distance<T>* shapes, T* k) {
  term(shapes, 2, Store(), k);
}

// k = f(t) g(s), t becomes f'(t) t g(s), and s becomes f(t) g'(s) s.
template <class F, class G, class T>
HWY_INLINE void product_slope_values(T* HWY_RESTRICT t, T* HWY_RESTRICT s, T* HWY_RESTRICT k) {
  const Full<T> tag;
  using V = hn::VFromD<Full<T>>;
  constexpr Index lanes = hn::MaxLanes(Full<T>()), count = 2;
  for (Index p = 0; p < kTileSize; p += count * lanes) {
    V e[count], a[count], b[count];
    ULISSE_UNROLL for (Index v = 0; v < count; ++v) {
      a[v] = exponent_of<F>(hn::Load(tag, t + p + v * lanes));
      b[v] = exponent_of<G>(hn::Load(tag, s + p + v * lanes));
      e[v] = hn::Add(a[v], b[v]);
    }
    exp2_minus(tag, e);
    ULISSE_UNROLL for (Index v = 0; v < count; ++v) {
      const Index at = p + v * lanes;
      const V first = hn::Load(tag, t + at), second = hn::Load(tag, s + at);
      const V by_f = times_polynomial<F>(tag, e[v], a[v], first);
      const V by_g = times_polynomial<G>(tag, e[v], b[v], second);
      hn::Store(times_polynomial<G>(tag, by_f, b[v], second), tag, k + at);
      hn::Store(times_slope<F>(tag, by_g, a[v], first), tag, t + at);
      hn::Store(times_slope<G>(tag, by_f, b[v], second), tag, s + at);
    }
  }
}

template <class T>
void product_slopes(const Distance<T>* shapes, T* k, T* first, T* second) {
  squared_distances(shapes[0].d, shapes[0].xi, shapes[0].xj, first, AtMostGone<T>());
  squared_distances(shapes[1].d, shapes[1].xi, shapes[1].xj, second, AtMostGone<T>());
  with_shape(shapes[0].shape, [&](auto f) HWY_ATTR {
    with_shape(shapes[1].shape, [&](auto g) HWY_ATTR {
      product_slope_values<decltype(f), decltype(g)>(first, second, k);
    });
  });
}

template <class T>
void add_term(const Distance<T>* shapes, Index count, T a, T b, T* k) {
  term(shapes, count, AddTo<T>{a, b}, k);
}

}  // namespace ulisse::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
