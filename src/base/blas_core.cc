#include "base/blas_core.h"

#include <cblas.h>

#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string_view>

// OpenBLAS's own functions, declared in no header, and absent where it was built for one processor.
extern "C" {
[[gnu::weak]] void gotoblas_dynamic_init();
[[gnu::weak]] void gotoblas_dynamic_quit();
}

namespace ulisse {

namespace {

constexpr const char* kVariable = "OPENBLAS_CORETYPE";

// The thread sanitizer runs one of its own.
#ifdef __SANITIZE_THREAD__
constexpr long kSanitizers = 1;
#else
constexpr long kSanitizers = 0;
#endif

bool others_are_running() {
  namespace fs = std::filesystem;
  std::error_code error;
  const auto threads = std::distance(fs::directory_iterator("/proc/self/task", error), {});
  return error || threads > openblas_get_num_threads() + kSanitizers;
}

// OpenBLAS knows processors by their model numbers, and takes one that is newer than itself for a
// Prescott of 2004: on an Intel of 2023, Debian 12's does a fifth of the dgemm that it could.
// OPENBLAS_CORETYPE is the documented remedy, but it is read when OpenBLAS is loaded, before
// anything of ours runs; so OpenBLAS is made to read it again, while this library is loaded. No
// product must be under way: where the process has more threads than this one and OpenBLAS's own,
// nothing is done. What the user has set stands.
const bool chosen = [] {
  const char* best = best_blas_core();
  if (best == nullptr || std::getenv(kVariable) != nullptr) return false;
  if (gotoblas_dynamic_init == nullptr || gotoblas_dynamic_quit == nullptr) return false;
  if (std::string_view(blas_core()) != "Prescott" || others_are_running()) return false;
  setenv(kVariable, best, 1);
  gotoblas_dynamic_quit();
  gotoblas_dynamic_init();
  unsetenv(kVariable);
  return true;
}();

}  // namespace

const char* blas_core() { return openblas_get_corename(); }

const char* best_blas_core() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")) {
    return "SkylakeX";
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
#endif
  return nullptr;
}

}  // namespace ulisse
