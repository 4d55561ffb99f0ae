#pragma once

namespace ulisse {

// The processor whose kernels OpenBLAS runs in this process, by OpenBLAS's name: Zen, SkylakeX, ...
const char* blas_core();

// The kernels that this processor can run, by OpenBLAS's name; null where OpenBLAS's own choice is
// all there is to say.
const char* best_blas_core();

}  // namespace ulisse
