#pragma once

#include "base/grid.h"
#include "ulisse/kernel.h"
#include "ulisse/types.h"

// The arithmetic of covariance products on tiles of 48 x 48 pairs of points, in double or float.
// Everything about vector registers stays below this header.
namespace ulisse::simd {

// 48 is a multiple of every vector length up to 16 lanes and of the 3-, 6- and 12-row register
// blocks, and a tile of doubles (18 KB) stays in a first-level cache.
constexpr Index kTile = 48;
constexpr Index kTileSize = kTile * kTile;

// Columns of right-hand sides are padded to a multiple of this.
constexpr Index kColumnPad = 4;

// The coordinates of a tile's points. Squared differences of `numbers` coordinates add up to the
// squared distance; of `categories` more behind them each counts at most most[c], so that two
// values are as far apart as any other two.
template <class T>
struct Extent {
  Index numbers = 0, categories = 0;
  const T* most = nullptr;  // (categories)

  Extent(Index d) : numbers(d) {}
  Extent(Index d, Index of_categories, const T* at_most)
      : numbers(d), categories(of_categories), most(at_most) {}
  Index all() const { return numbers + categories; }
};

// A shape of the distance between the points of two tiles.
template <class T>
struct Distance {
  Shape shape;
  Extent<T> d;
  const T *xi, *xj;
};

// Points of a tile are stored coordinate by coordinate: x[k * kTile + a] is coordinate k of point
// a. A tile k of kernel values has k[a * kTile + b] for the pair (a of tile i, b of tile j). All
// arrays are aligned to 64 bytes. Functions are pure: no state, safe from any thread.
template <class T>
struct TileOps {
  // k = shape values of all pairs.
  void (*values)(Shape shape, Extent<T> d, const T* xi, const T* xj, T* k);

  // k = the product of the values of two shapes.
  void (*product_of_two)(const Distance<T>* shapes, T* k);

  // k = a k + b times the product of the values of `count` shapes, which is 1 or 2.
  void (*add_term)(const Distance<T>* shapes, Index count, T a, T b, T* k);

  // yi += k vj and, unless yj is null, yj += k' vi. Blocks are row-major (kTile, columns), columns
  // a multiple of kColumnPad. Sums run in T within the tile and are added to y in double.
  void (*multiply)(const T* k, Index columns, const T* vi, const T* vj, double* yi, double* yj);

  // w[a, b] = sum_c u[c, a of i] v[c, b of j], plus v[c, a of i] u[c, b of j] if symmetric; the
  // vectors stored column by column: u[c * kTile + a].
  void (*outer)(Index columns, bool symmetric, const T* ui, const T* vi, const T* uj, const T* vj,
                T* w);

  // k = shape(t) and s = shape'(t) of all pairs, t the scaled squared distance; s = shape'(t) t
  // with times_distance.
  void (*slopes)(Shape shape, Extent<T> d, bool times_distance, const T* xi, const T* xj, T* k,
                 T* s);

  // sums[0] += sum_ab w_ab k_ab, sums[1] += sum_ab w_ab s_ab.
  void (*contract)(const T* k, const T* s, const T* w, double* sums);

  // Of a product of two shapes f(t) g(s) of all pairs, by one exponential: k its values,
  // first = f'(t) t g(s), second = f(t) g'(s) s.
  void (*product_slopes)(const Distance<T>* shapes, T* k, T* first, T* second);

  // sums[0] += sum_ab w_ab k_ab, sums[1] += sum_ab w_ab s_ab, sums[2] += sum_ab w_ab r_ab.
  void (*contract_product)(const T* k, const T* s, const T* r, const T* w, double* sums);

  // sums[0] += sum_ab w_ab k_ab and, with t = sum_c t_c,
  // sums[1 + c] += sum_ab w_ab s_ab t_c,ab for each coordinate. Overwrites w.
  void (*contract_by_coordinate)(Extent<T> d, const T* xi, const T* xj, const T* k, const T* s,
                                 T* w, double* sums);

  // k = a k + b other
  void (*combine)(T* k, T a, const T* other, T b);

  // out = k other, value by value; out may be either.
  void (*multiply_values)(const T* k, const T* other, T* out);

  // grid.add() for each of `count` sums, a multiple of 8.
  void (*add_on_grid)(const Grid& grid, Index count, const double* sums, double* high, double* low);
};

// The best version for the machine this runs on.
template <class T>
const TileOps<T>& tile_ops();
template <>
const TileOps<double>& tile_ops();
template <>
const TileOps<float>& tile_ops();

// The name of the instruction set chosen, such as AVX2.
const char* target_name();

// Coordinates are to be multiplied by coordinate_scale(shape) * sqrt(tau_k).
double coordinate_scale(Shape shape);

}  // namespace ulisse::simd
