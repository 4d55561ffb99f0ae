// 2^-s for s >= 0 as vectors. Included once for each target, hence no ordinary include guard.
#if defined(ULISSE_SIMD_EXP2_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ULISSE_SIMD_EXP2_INL_H_
#undef ULISSE_SIMD_EXP2_INL_H_
#else
#define ULISSE_SIMD_EXP2_INL_H_
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ulisse::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// 2^-g = 1 + g q(g) on |g| <= 1/2, q from a Remez exchange on the relative error with q's factor g
// held, so that 2^0 is exactly 1: equal points must give exactly sigma.
// Degree 10 leaves 2.2e-16 in double, degree 6 leaves 2.0e-9 in float: both below rounding.
template <class D, class V = hn::VFromD<D>>
requires(sizeof(hn::TFromD<D>) == 8) HWY_INLINE V exp2_polynomial(D d, V g) {
  V q = hn::Set(d, 0x1.e3a9046bc24c2p-28);
  q = hn::MulAdd(q, g, hn::Set(d, -0x1.b671b2f145339p-24));
  q = hn::MulAdd(q, g, hn::Set(d, 0x1.62c147a4afe02p-20));
  q = hn::MulAdd(q, g, hn::Set(d, -0x1.ffcb58ca31191p-17));
  q = hn::MulAdd(q, g, hn::Set(d, 0x1.4309126c00bdfp-13));
  q = hn::MulAdd(q, g, hn::Set(d, -0x1.5d87fe9b8efd1p-10));
  q = hn::MulAdd(q, g, hn::Set(d, 0x1.3b2ab6fbd6d05p-7));
  q = hn::MulAdd(q, g, hn::Set(d, -0x1.c6b08d703e17ap-5));
  q = hn::MulAdd(q, g, hn::Set(d, 0x1.ebfbdff82c431p-3));
  q = hn::MulAdd(q, g, hn::Set(d, -0x1.62e42fefa3a12p-1));
  return hn::MulAdd(q, g, hn::Set(d, 1.0));
}

template <class D, class V = hn::VFromD<D>>
requires(sizeof(hn::TFromD<D>) == 4) HWY_INLINE V exp2_polynomial(D d, V g) {
  V q = hn::Set(d, 0x1.41fbbcp-13f);
  q = hn::MulAdd(q, g, hn::Set(d, -0x1.5f3e52p-10f));
  q = hn::MulAdd(q, g, hn::Set(d, 0x1.3b2d4cp-7f));
  q = hn::MulAdd(q, g, hn::Set(d, -0x1.c6aee8p-5f));
  q = hn::MulAdd(q, g, hn::Set(d, 0x1.ebfbdcp-3f));
  q = hn::MulAdd(q, g, hn::Set(d, -0x1.62e430p-1f));
  return hn::MulAdd(q, g, hn::Set(d, 1.0f));
}

template <class T>
struct Exp2Constants;
template <>
struct Exp2Constants<double> {
  static constexpr double rounder = 0x1.8p52;  // adding it rounds to an integer in the low bits
  static constexpr double limit = 1022, zero = 1023;
  static constexpr int mantissa = 52;
};
template <>
struct Exp2Constants<float> {
  static constexpr float rounder = 0x1.8p23f;
  static constexpr float limit = 126, zero = 127;
  static constexpr int mantissa = 23;
};

// 2^-s for s >= 0 or s = inf. s above `limit` gives 0, not a subnormal (those are slow): s is moved
// to `zero`, where the exponent bits of the result vanish along with its mantissa.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V exp2_minus(D d, V s) {
  using C = Exp2Constants<hn::TFromD<D>>;
  const hn::RebindToSigned<D> di;
  const V rounder = hn::Set(d, C::rounder);
  s = hn::IfThenElse(hn::Gt(s, hn::Set(d, C::limit)), hn::Set(d, C::zero), s);
  const V shifted = hn::Sub(rounder, s);  // low bits hold k = -round(s)
  const V k = hn::Sub(shifted, rounder);
  const V p = exp2_polynomial(d, hn::Add(s, k));  // 2^-(s + k)
  const auto exponent = hn::ShiftLeft<C::mantissa>(hn::BitCast(di, shifted));
  return hn::BitCast(d, hn::Add(hn::BitCast(di, p), exponent));
}

}  // namespace ulisse::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
