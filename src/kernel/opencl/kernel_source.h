#pragma once

#include <string>

#include "kernel/tiled_kernel.h"

namespace ulisse::opencl {

// How the work is laid out on a device. No bit of a result depends on it.
struct Layout {
  int lanes = 1;      // rows in a vector: 1, 2, 4, 8 or 16
  int group = 64;     // work-items in a group
  bool fused = true;  // the device multiplies and adds in one step
};

// The text of a program for kernels of these terms and so many columns; the parameters of the
// kernel are not in it.
template <class T>
std::string source_of(const TiledKernel<T>& kernel, int columns, const Layout& layout);

// What the program reads beside points: the share of each term, the cap of each category.
template <class T>
std::vector<T> constants_of(const TiledKernel<T>& kernel);

// Of a point, in all distances together.
template <class T>
Index coordinates_of(const TiledKernel<T>& kernel);

// That gradient forms of one column consist of.
template <class T>
Index sums_of(const TiledKernel<T>& kernel);

}  // namespace ulisse::opencl
