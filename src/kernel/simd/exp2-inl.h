// 2^-s for s >= 0 as vectors. Included once for each target, hence no ordinary include guard.
#if defined(ULISSE_SIMD_EXP2_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ULISSE_SIMD_EXP2_INL_H_
#undef ULISSE_SIMD_EXP2_INL_H_
#else
#define ULISSE_SIMD_EXP2_INL_H_
#endif

#include <hwy/highway.h>

#include <iterator>

#include "kernel/simd/unroll.h"
#include "ulisse/types.h"

HWY_BEFORE_NAMESPACE();
namespace ulisse::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// 2^-g = 1 + g q(g) on |g| <= 1/2, q from a Remez exchange on the relative error with q's factor g
// held, so that 2^0 is exactly 1: equal points must give exactly sigma. Highest power first.
// Degree 10 leaves 2.2e-16 in double, degree 6 leaves 2.0e-9 in float: both below rounding.
template <class T>
struct Exp2;
template <>
struct Exp2<double> {
  static constexpr double polynomial[] = {0x1.e3a9046bc24c2p-28,
                                          -0x1.b671b2f145339p-24,
                                          0x1.62c147a4afe02p-20,
                                          -0x1.ffcb58ca31191p-17,
                                          0x1.4309126c00bdfp-13,
                                          -0x1.5d87fe9b8efd1p-10,
                                          0x1.3b2ab6fbd6d05p-7,
                                          -0x1.c6b08d703e17ap-5,
                                          0x1.ebfbdff82c431p-3,
                                          -0x1.62e42fefa3a12p-1,
                                          1.0};
  static constexpr double rounder = 0x1.8p52;  // adding it rounds to an integer in the low bits
  static constexpr double limit = 1022, zero = 1023;
  static constexpr int mantissa = 52;
};
template <>
struct Exp2<float> {
  static constexpr float polynomial[] = {0x1.41fbbcp-13f,
                                         -0x1.5f3e52p-10f,
                                         0x1.3b2d4cp-7f,
                                         -0x1.c6aee8p-5f,
                                         0x1.ebfbdcp-3f,
                                         -0x1.62e430p-1f,
                                         1.0f};
  static constexpr float rounder = 0x1.8p23f;
  static constexpr float limit = 126, zero = 127;
  static constexpr int mantissa = 23;
};

// s = -k + g with an integer k and |g| <= 1/2, kept until p = 2^-g is known: 2^-s = p 2^k. s above
// `limit` gives 0, not a subnormal (those are slow).
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
// One instruction scales by 2^k and puts the zeros in; what is not a number stays so.
HWY_INLINE __mmask8 at_most(__m512d s, __m512d limit) {
  return _mm512_cmp_pd_mask(s, limit, _CMP_NGT_UQ);
}
HWY_INLINE __mmask16 at_most(__m512 s, __m512 limit) {
  return _mm512_cmp_ps_mask(s, limit, _CMP_NGT_UQ);
}
HWY_INLINE __m512d scaled(__m512d p, __m512d k, __mmask8 keep) {
  return _mm512_maskz_scalef_pd(keep, p, k);
}
HWY_INLINE __m512 scaled(__m512 p, __m512 k, __mmask16 keep) {
  return _mm512_maskz_scalef_ps(keep, p, k);
}
template <class D>
struct Exponent {
  using V = hn::VFromD<D>;
  using C = Exp2<hn::TFromD<D>>;
  V k;
  decltype(at_most(V().raw, V().raw)) keep;

  HWY_INLINE V rest(V s) {
    const V rounder = hn::Set(D(), C::rounder);
    keep = at_most(s.raw, hn::Set(D(), C::limit).raw);
    k = hn::Sub(hn::Sub(rounder, s), rounder);
    return hn::Add(s, k);
  }
  HWY_INLINE V times(V p) const { return {scaled(p.raw, k.raw, keep)}; }
};
#else
// k is added to the exponent's bits. s beyond the limit is moved to `zero`, where the exponent bits
// of the result vanish along with its mantissa.
template <class D>
struct Exponent {
  using V = hn::VFromD<D>;
  using C = Exp2<hn::TFromD<D>>;
  hn::VFromD<hn::RebindToSigned<D>> bits;

  HWY_INLINE V rest(V s) {
    const V rounder = hn::Set(D(), C::rounder);
    s = hn::IfThenElse(hn::Gt(s, hn::Set(D(), C::limit)), hn::Set(D(), C::zero), s);
    const V shifted = hn::Sub(rounder, s);  // low bits hold k
    bits = hn::ShiftLeft<C::mantissa>(hn::BitCast(hn::RebindToSigned<D>(), shifted));
    return hn::Add(s, hn::Sub(shifted, rounder));
  }
  HWY_INLINE V times(V p) const {
    return hn::BitCast(D(), hn::Add(hn::BitCast(hn::RebindToSigned<D>(), p), bits));
  }
};
#endif

// s = 2^-s for N vectors of s >= 0 or inf.
//
// The vectors go through the polynomial side by side: one after the other, the latency of each
// chain fills the processor's queues and a tile of RBF values takes a tenth longer.
template <class D, Index N, class V = hn::VFromD<D>>
HWY_INLINE void exp2_minus(D d, V (&s)[N]) {
  using C = Exp2<hn::TFromD<D>>;
  V p[N];
  Exponent<D> exponent[N];
  ULISSE_UNROLL for (Index v = 0; v < N; ++v) {
    s[v] = exponent[v].rest(s[v]);
    p[v] = hn::Set(d, C::polynomial[0]);
  }
  for (Index c = 1; c < static_cast<Index>(std::size(C::polynomial)); ++c) {
    const V coefficient = hn::Set(d, C::polynomial[c]);
    ULISSE_UNROLL for (Index v = 0; v < N; ++v) p[v] = hn::MulAdd(p[v], s[v], coefficient);
  }
  ULISSE_UNROLL for (Index v = 0; v < N; ++v) s[v] = exponent[v].times(p[v]);
}

}  // namespace ulisse::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
