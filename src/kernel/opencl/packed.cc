#include "kernel/opencl/packed.h"

namespace ulisse::opencl {

namespace {

// place(i, c) of each element.
template <class T, class Place>
std::vector<T> packed(const ConstBlock& x, const std::vector<double>& scales, Index width,
                      Index rows, const Place& place) {
  std::vector<T> data(static_cast<std::size_t>(rows * width));
  for_rows(x.rows(), [&](Index first, Index last) {
    for (Index c = 0; c < x.cols(); ++c) {
      const double scale = scales[static_cast<std::size_t>(c)];
      for (Index i = first; i < last; ++i) {
        data[static_cast<std::size_t>(place(i, c))] =
            static_cast<T>(scale == 0 ? 0 : x(i, c) / scale);
      }
    }
  });
  return data;
}

}  // namespace

int block_width(Index columns) {
  for (const int width : {4, 8, 16, 24, 32}) {
    if (columns <= width) return width;
  }
  return kWidestBlock;
}

template <class T>
std::vector<T> packed_rows(const ConstBlock& x, const std::vector<double>& scales, Index width,
                           Index rows) {
  return packed<T>(x, scales, width, rows, [&](Index i, Index c) { return i * width + c; });
}

template <class T>
std::vector<T> packed_columns(const ConstBlock& x, const std::vector<double>& scales, Index width,
                              Index rows) {
  return packed<T>(x, scales, width, rows, [&](Index i, Index c) {
    return ((i / simd::kTile) * width + c) * simd::kTile + i % simd::kTile;
  });
}

template std::vector<float> packed_rows(const ConstBlock&, const std::vector<double>&, Index,
                                        Index);
template std::vector<double> packed_rows(const ConstBlock&, const std::vector<double>&, Index,
                                         Index);
template std::vector<float> packed_columns(const ConstBlock&, const std::vector<double>&, Index,
                                           Index);
template std::vector<double> packed_columns(const ConstBlock&, const std::vector<double>&, Index,
                                            Index);

}  // namespace ulisse::opencl
