#include "kernel/tiled_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace ulisse {

namespace {

bool is_usable(double value) { return std::isfinite(value) && value > 0; }

// In float a value of a shape has an error of
//  - coordinates rounded to float, each by at most eps/2 |x|_max and their difference once more:
//    the distance in scaled coordinates has an error of 2 eps |x|_max sqrt(d), and no shape falls
//    faster than 1 per unit of it (rbf: 2^-r^2 falls by at most 0.72; matern12: 2^-r by ln 2;
//    others less);
//  - the squared distance by (d + 2) eps relative, which costs at most (d + 2) eps (t |f'(t)| <=
//    1);
//  - exp2 and the shape's own arithmetic: 8 eps.
// eps is the unit roundoff times 2. Coordinates cannot make a value worse than wrong altogether.
template <class T>
double error_of(const TiledPoints<T>& points) {
  const double eps = std::numeric_limits<float>::epsilon();
  const auto d = static_cast<double>(points.dimensions());
  const double coordinates = 2 * eps * points.largest_coordinate() * std::sqrt(d);
  return std::min(1.0, coordinates) + (d + 2 + 8) * eps;
}

}  // namespace

template <class T>
TiledKernel<T>::TiledKernel(const KernelPoints& points, const ConstVector& kernel_psi)
    : n_(points.size()), parameter_count_(points.parameter_count()) {
  if (kernel_psi.size() != parameter_count_) {
    throw std::invalid_argument(fmt::format("psi has {} elements, the kernel {} parameters",
                                            kernel_psi.size(), parameter_count_));
  }
  const Vector theta = kernel_psi.array().exp();
  usable_ = std::all_of(theta.data(), theta.data() + theta.size(), ulisse::is_usable);
  for (std::size_t t = 0; t < points.terms().size(); ++t) {
    const TermMetrics& term = points.terms()[t];
    TermPart part{.sigma_place = term.sigma, .sigma = theta(term.sigma), .share = 1, .parts = {}};
    for (std::size_t m = 0; m < term.metrics.size(); ++m) {
      const Metric& metric = term.metrics[m];
      part.parts.push_back({metric, TiledPoints<T>(points.coordinates(t, m), theta(metric.tau),
                                                   metric.shape, metric.categories)});
    }
    add(std::move(part));
  }
}

template <class T>
void TiledKernel<T>::add(TermPart added) {
  variance_ += added.sigma;
  terms_.push_back(std::move(added));
  for (TermPart& term : terms_) {
    term.share = terms_.size() == 1 ? T(1) : static_cast<T>(term.sigma / variance_);
  }
}

template <class T>
TiledKernel<T> TiledKernel<T>::only(const Indices& terms) const {
  TiledKernel chosen;
  chosen.n_ = n_;
  chosen.parameter_count_ = parameter_count_;
  chosen.usable_ = usable_;
  for (const Index t : terms) chosen.add(terms_.at(static_cast<std::size_t>(t)));
  return chosen;
}

template <class T>
TiledKernel<T> TiledKernel<T>::select(const Indices& which) const {
  TiledKernel chosen;
  chosen.n_ = static_cast<Index>(which.size());
  chosen.parameter_count_ = parameter_count_;
  chosen.variance_ = variance_;
  chosen.usable_ = usable_;
  for (const TermPart& term : terms_) {
    TermPart of_term{term.sigma_place, term.sigma, term.share, {}};
    for (const Part& part : term.parts) {
      of_term.parts.push_back({part.metric, part.points.select(which)});
    }
    chosen.terms_.push_back(std::move(of_term));
  }
  return chosen;
}

template <class T>
Vector TiledKernel<T>::variance_slopes() const {
  Vector slopes = Vector::Zero(parameter_count_);
  for (const TermPart& term : terms_) slopes(term.sigma_place) = term.sigma;
  return slopes;
}

namespace {

template <class T>
using Parts = std::vector<typename TiledKernel<T>::Part>;

// The shapes of a term, two at a time, between tiles i and j.
template <class T>
class TermValues {
 public:
  TermValues(const Parts<T>& rows, Index i, const Parts<T>& columns, Index j)
      : count_(rows.size()), rows_(rows), columns_(columns), i_(i), j_(j) {}

  // k = the values
  void store(T* k) const {
    store_pair(0, k);
    for (std::size_t m = 2; m < count_; m += 2) {
      alignas(64) T others[simd::kTileSize];
      store_pair(m, others);
      ops_.multiply_values(k, others, k);
    }
  }

  // k = a k + b times the values
  void add(T a, T b, T* k) const {
    if (count_ <= 2) {
      const simd::Distance<T> shapes[2] = {at(0), at(count_ - 1)};
      ops_.add_term(shapes, static_cast<Index>(count_), a, b, k);
      return;
    }
    alignas(64) T values[simd::kTileSize];
    store(values);
    ops_.combine(k, a, values, b);
  }

 private:
  simd::Distance<T> at(std::size_t m) const {
    const TiledPoints<T>& points = rows_[m].points;
    return {rows_[m].metric.shape, points.extent(), points.tile(i_), columns_[m].points.tile(j_)};
  }

  // From the m-th on: two shapes, or the last one.
  void store_pair(std::size_t m, T* k) const {
    const simd::Distance<T> first = at(m);
    if (m + 1 == count_) {
      ops_.values(first.shape, first.d, first.xi, first.xj, k);
      return;
    }
    const simd::Distance<T> both[2] = {first, at(m + 1)};
    ops_.product_of_two(both, k);
  }

  const simd::TileOps<T>& ops_ = simd::tile_ops<T>();
  std::size_t count_;
  const Parts<T>& rows_;
  const Parts<T>& columns_;
  Index i_, j_;
};

}  // namespace

template <class T>
void TiledKernel<T>::values(Index i, const TiledKernel& others, Index j, T* k) const {
  const auto term = [&](std::size_t t) {
    return TermValues<T>(terms_[t].parts, i, others.terms_[t].parts, j);
  };
  term(0).store(k);
  for (std::size_t t = 1; t < terms_.size(); ++t) {
    term(t).add(t == 1 ? terms_[0].share : T(1), terms_[t].share, k);
  }
}

template <class T>
double TiledKernel<T>::error_bound() const {
  if constexpr (sizeof(T) == 8) return 0;
  double bound = 0;
  for (const TermPart& term : terms_) {
    double error = 0;
    for (const Part& part : term.parts) error += error_of(part.points);
    bound += term.sigma * error;
  }
  return bound;
}

template class TiledKernel<double>;
template class TiledKernel<float>;

}  // namespace ulisse
