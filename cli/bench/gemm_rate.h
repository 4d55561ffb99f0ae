#pragma once

namespace ulisse::cli {

// GFLOP/s of one dgemm or sgemm of 1536 x 1536 matrices by OpenBLAS on `threads` threads.
double dgemm_gflops(int threads);
double sgemm_gflops(int threads);

}  // namespace ulisse::cli
