#include "gemm_rate.h"

#include <cblas.h>

#include <chrono>
#include <thread>
#include <vector>

#include "base/clock.h"

namespace ulisse::cli {

namespace {

constexpr int kSize = 1536;
// As long as what it is compared with: for a few hundredths of a second after a rest some
// processors run faster than they can go on.
constexpr double kSeconds = 0.2;

void gemm(const std::vector<double>& a, std::vector<double>& c) {
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, kSize, kSize, kSize, 1, a.data(), kSize,
              a.data(), kSize, 0, c.data(), kSize);
}
void gemm(const std::vector<float>& a, std::vector<float>& c) {
  cblas_sgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, kSize, kSize, kSize, 1, a.data(), kSize,
              a.data(), kSize, 0, c.data(), kSize);
}

template <class T>
double gflops(int threads) {
  std::vector<T> a(kSize * kSize, T(0.5)), c(kSize * kSize);
  const int before = openblas_get_num_threads();
  openblas_set_num_threads(threads);
  const double start = seconds_now();
  double seconds = 0;
  int calls = 0;
  for (; seconds < kSeconds; ++calls) {
    gemm(a, c);
    seconds = seconds_now() - start;
  }
  openblas_set_num_threads(before);
  // OpenBLAS's threads spin for a while after a call, and would disturb what is measured next.
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  return 2.0 * kSize * kSize * kSize * calls / seconds * 1e-9;
}

}  // namespace

double dgemm_gflops(int threads) { return gflops<double>(threads); }
double sgemm_gflops(int threads) { return gflops<float>(threads); }

}  // namespace ulisse::cli
