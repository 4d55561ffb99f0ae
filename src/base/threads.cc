#include "ulisse/threads.h"

#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <thread>

#include "base/blas_memory.h"
#include "base/default_threads.h"
#include "base/option_names.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

std::unique_ptr<tbb::global_control> limit;
int default_count = 0, requested = 0;

}  // namespace

void set_threads(int count) {
  if (count < 0) throw std::invalid_argument("the number of threads must not be negative");
  if (count > most_threads()) {
    throw InputError(fmt::format("{}: {} is too large; at most {} makes sense here",
                                 option_named("threads"), count, most_threads()));
  }
  limit.reset();
  requested = count;
  if (count == 0) count = default_count;
  if (count > 0) {
    limit = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                  static_cast<std::size_t>(count));
  }
  reserve_blas_memory(threads());
}

void set_default_threads(int count) {
  default_count = count;
  set_threads(requested);
}

int requested_threads() { return requested; }

int most_threads() {
  return std::max(64, 4 * static_cast<int>(std::thread::hardware_concurrency()));
}

int threads() {
  const auto allowed =
      tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  return static_cast<int>(allowed);
}

}  // namespace ulisse
