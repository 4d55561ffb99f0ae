#include "base/blas.h"

#include <cblas.h>

// OpenBLAS exports LAPACK's Fortran names, but Debian's build declares them in no header.
extern "C" void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info);

namespace ulisse {

void use_one_blas_thread() {
  if (openblas_get_num_threads() != 1) openblas_set_num_threads(1);
}

void gemm(bool transpose_a, bool transpose_b, double alpha, const ConstBlock& a,
          const ConstBlock& b, double beta, Block c) {
  const Index inner = transpose_a ? a.rows() : a.cols();
  if (c.size() == 0) return;
  if (inner == 0) {
    c = beta == 0 ? Matrix::Zero(c.rows(), c.cols()) : Matrix(beta * c);  // 0 c would keep a NaN
    return;
  }
  cblas_dgemm(CblasColMajor, transpose_a ? CblasTrans : CblasNoTrans,
              transpose_b ? CblasTrans : CblasNoTrans, static_cast<int>(c.rows()),
              static_cast<int>(c.cols()), static_cast<int>(inner), alpha, a.data(),
              static_cast<int>(a.outerStride()), b.data(), static_cast<int>(b.outerStride()), beta,
              c.data(), static_cast<int>(c.outerStride()));
}

Index cholesky(Triangle triangle, Block a) {
  const char uplo = triangle == Triangle::lower ? 'L' : 'U';
  const auto n = static_cast<int>(a.rows()), stride = static_cast<int>(a.outerStride());
  int info = 0;
  if (n > 0) dpotrf_(&uplo, &n, a.data(), &stride, &info);
  return info;
}

namespace {

void trsm(CBLAS_SIDE side, Triangle triangle, bool transpose, const ConstBlock& t, Block b) {
  if (b.size() == 0) return;
  cblas_dtrsm(CblasColMajor, side, triangle == Triangle::lower ? CblasLower : CblasUpper,
              transpose ? CblasTrans : CblasNoTrans, CblasNonUnit, static_cast<int>(b.rows()),
              static_cast<int>(b.cols()), 1, t.data(), static_cast<int>(t.outerStride()), b.data(),
              static_cast<int>(b.outerStride()));
}

}  // namespace

void solve_right(Triangle triangle, bool transpose, const ConstBlock& t, Block b) {
  trsm(CblasRight, triangle, transpose, t, b);
}

void solve_left(Triangle triangle, bool transpose, const ConstBlock& t, Block b) {
  trsm(CblasLeft, triangle, transpose, t, b);
}

void parallel_transposed_product(const ConstBlock& a, const ConstBlock& b, Block c) {
  use_one_blas_thread();
  parallel_pieces(a.cols(), 64, [&](Index start, Index count) {
    gemm(true, false, 1, a.middleCols(start, count), b, 0, c.middleRows(start, count));
  });
}

void parallel_product(double alpha, const ConstBlock& a, const ConstBlock& b, double beta,
                      Block c) {
  use_one_blas_thread();
  parallel_pieces(a.rows(), 512, [&](Index start, Index count) {
    gemm(false, false, alpha, a.middleRows(start, count), b, beta, c.middleRows(start, count));
  });
}

}  // namespace ulisse
