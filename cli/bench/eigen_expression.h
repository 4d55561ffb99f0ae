#pragma once

#include <cstddef>

extern "C" {

// y = (exp(-tau |x_i - x_j|^2)) v the way one writes it in Eigen: for each block of rows the
// distances by a matrix product, exp of the block, then a matrix product. x: (n, d), v and y: (n,
// m), all column-major. Row blocks run on `threads` threads. False when this machine lacks the
// instructions it was compiled for.
__attribute__((visibility("default"))) bool ulisse_eigen_expression(
    std::ptrdiff_t n, std::ptrdiff_t d, std::ptrdiff_t m, const double* x, double tau,
    const double* v, double* y, int threads);
}
