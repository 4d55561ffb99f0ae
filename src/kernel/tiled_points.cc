#include "kernel/tiled_points.h"

#include <algorithm>
#include <cmath>

namespace ulisse {

namespace {

// The difference of two infinite coordinates is not a number. In double nothing real comes near the
// limit; in float, points beyond it coincide, which error_bound() admits.
template <class T>
constexpr double coordinate_limit = sizeof(T) == 8 ? 1e300 : 1e37;

}  // namespace

template <class T>
TiledPoints<T>::TiledPoints(Index n, Index d)
    : n_(n), d_(d), data_(static_cast<std::size_t>(tiles_for(n) * simd::kTile * d)) {}

template <class T>
TiledPoints<T>::TiledPoints(const ConstBlock& x, const ConstVector& tau, Shape shape,
                            Index categories)
    : TiledPoints(x.rows(), x.cols()) {
  for (Index k = 0; k < d_; ++k) {
    const double scale = simd::coordinate_scale(shape) * std::sqrt(tau(k));
    if (k < d_ - categories) {
      set_numbers(k, x.col(k), scale);
    } else {
      set_category(k, x.col(k), scale);
    }
  }
}

template <class T>
void TiledPoints<T>::set_numbers(Index k, const ConstVector& x, double scale) {
  constexpr double limit = coordinate_limit<T>;
  for (Index i = 0; i < n_; ++i) {
    const double value = std::clamp(x(i) * scale, -limit, limit);
    largest_ = std::max(largest_, std::abs(value));
    at(i, k) = static_cast<T>(value);
  }
}

// Levels stand more than far enough apart, so that rounding does not bring two of them nearer.
template <class T>
void TiledPoints<T>::set_category(Index k, const ConstVector& x, double scale) {
  constexpr double limit = sizeof(T) == 8 ? 1e100 : 1e15;  // whose square is a number
  const double apart = std::min(scale, limit);
  most_.push_back(static_cast<T>(apart * apart));
  for (Index i = 0; i < n_; ++i) at(i, k) = static_cast<T>(2 * apart * x(i));
}

template <class T>
TiledPoints<T> TiledPoints<T>::select(const Indices& which) const {
  TiledPoints chosen(static_cast<Index>(which.size()), d_);
  chosen.most_ = most_;
  chosen.largest_ = largest_;
  for (Index k = 0; k < d_; ++k) {
    for (Index i = 0; i < chosen.n_; ++i) chosen.at(i, k) = at(which[i], k);
  }
  return chosen;
}

template class TiledPoints<double>;
template class TiledPoints<float>;

}  // namespace ulisse
