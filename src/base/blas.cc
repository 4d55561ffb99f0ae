#include "base/blas.h"

#include <cblas.h>

#include <vector>

#include "base/blas_memory.h"
#include "ulisse/threads.h"

// OpenBLAS exports LAPACK's Fortran names, but Debian's build declares them in no header.
extern "C" {
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info);
void spotrf_(const char* uplo, const int* n, float* a, const int* lda, int* info);
}

namespace ulisse {

namespace {

// What differs between the precisions is the name alone.
constexpr auto gemm_of(double) { return cblas_dgemm; }
constexpr auto gemm_of(float) { return cblas_sgemm; }
constexpr auto trsm_of(double) { return cblas_dtrsm; }
constexpr auto trsm_of(float) { return cblas_strsm; }
constexpr auto potrf_of(double) { return dpotrf_; }
constexpr auto potrf_of(float) { return spotrf_; }

template <class T>
using MatrixOf = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

template <class T>
void multiply(bool transpose_a, bool transpose_b, T alpha, const Eigen::Ref<const MatrixOf<T>>& a,
              const Eigen::Ref<const MatrixOf<T>>& b, T beta, Eigen::Ref<MatrixOf<T>> c) {
  const Index inner = transpose_a ? a.rows() : a.cols();
  if (c.size() == 0) return;
  if (inner == 0) {  // 0 c would keep a NaN
    c = beta == 0 ? MatrixOf<T>::Zero(c.rows(), c.cols()) : MatrixOf<T>(beta * c);
    return;
  }
  gemm_of(T())(CblasColMajor, transpose_a ? CblasTrans : CblasNoTrans,
               transpose_b ? CblasTrans : CblasNoTrans, static_cast<int>(c.rows()),
               static_cast<int>(c.cols()), static_cast<int>(inner), alpha, a.data(),
               static_cast<int>(a.outerStride()), b.data(), static_cast<int>(b.outerStride()), beta,
               c.data(), static_cast<int>(c.outerStride()));
}

template <class T>
Index factorise(Triangle triangle, Eigen::Ref<MatrixOf<T>> a) {
  const char uplo = triangle == Triangle::lower ? 'L' : 'U';
  const auto n = static_cast<int>(a.rows()), stride = static_cast<int>(a.outerStride());
  int info = 0;
  if (n > 0) potrf_of(T())(&uplo, &n, a.data(), &stride, &info);
  return info;
}

template <class T>
void solve(CBLAS_SIDE side, Triangle triangle, bool transpose,
           const Eigen::Ref<const MatrixOf<T>>& t, Eigen::Ref<MatrixOf<T>> b) {
  if (b.size() == 0) return;
  trsm_of(T())(CblasColMajor, side, triangle == Triangle::lower ? CblasLower : CblasUpper,
               transpose ? CblasTrans : CblasNoTrans, CblasNonUnit, static_cast<int>(b.rows()),
               static_cast<int>(b.cols()), 1, t.data(), static_cast<int>(t.outerStride()), b.data(),
               static_cast<int>(b.outerStride()));
}

}  // namespace

void use_one_blas_thread() {
  reserve_blas_memory(threads());
  if (openblas_get_num_threads() != 1) openblas_set_num_threads(1);
}

void gemm(bool transpose_a, bool transpose_b, double alpha, const ConstBlock& a,
          const ConstBlock& b, double beta, Block c) {
  multiply<double>(transpose_a, transpose_b, alpha, a, b, beta, c);
}

void gemm(bool transpose_a, bool transpose_b, float alpha, const ConstFloatBlock& a,
          const ConstFloatBlock& b, float beta, FloatBlock c) {
  multiply<float>(transpose_a, transpose_b, alpha, a, b, beta, c);
}

Index cholesky(Triangle triangle, Block a) { return factorise<double>(triangle, a); }
Index cholesky(Triangle triangle, FloatBlock a) { return factorise<float>(triangle, a); }

void solve_right(Triangle triangle, bool transpose, const ConstBlock& t, Block b) {
  solve<double>(CblasRight, triangle, transpose, t, b);
}

void solve_right(Triangle triangle, bool transpose, const ConstFloatBlock& t, FloatBlock b) {
  solve<float>(CblasRight, triangle, transpose, t, b);
}

void solve_left(Triangle triangle, bool transpose, const ConstBlock& t, Block b) {
  solve<double>(CblasLeft, triangle, transpose, t, b);
}

void solve_left(Triangle triangle, bool transpose, const ConstFloatBlock& t, FloatBlock b) {
  solve<float>(CblasLeft, triangle, transpose, t, b);
}

namespace {

// Few columns of many rows leave most threads without work: sums over pieces of the rows, added in
// their order.
void product_of_tall(const ConstBlock& a, const ConstBlock& b, Block c) {
  constexpr Index kPiece = 16'384;
  std::vector<Matrix> parts(static_cast<std::size_t>((a.rows() + kPiece - 1) / kPiece));
  parallel_pieces(a.rows(), kPiece, [&](Index start, Index count) {
    Matrix& part = parts[static_cast<std::size_t>(start / kPiece)];
    part.resize(c.rows(), c.cols());
    gemm(true, false, 1, a.middleRows(start, count), b.middleRows(start, count), 0, part);
  });
  c = parts[0];
  for (std::size_t i = 1; i < parts.size(); ++i) c += parts[i];
}

}  // namespace

void parallel_transposed_product(const ConstBlock& a, const ConstBlock& b, Block c) {
  constexpr Index kTall = 65'536, kFewColumns = 1024, kMostNumbers = 1 << 17;
  use_one_blas_thread();
  if (a.rows() >= kTall && a.cols() < kFewColumns && c.size() <= kMostNumbers) {
    return product_of_tall(a, b, c);
  }
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
