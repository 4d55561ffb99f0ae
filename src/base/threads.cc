#include "ulisse/threads.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <memory>
#include <stdexcept>

namespace ulisse {

namespace {
std::unique_ptr<tbb::global_control> limit;
}

void set_threads(int count) {
  if (count < 0) throw std::invalid_argument("the number of threads must not be negative");
  limit.reset();
  if (count > 0) {
    limit = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                  static_cast<std::size_t>(count));
  }
}

int threads() {
  const auto allowed =
      tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  return static_cast<int>(allowed);
}

}  // namespace ulisse
