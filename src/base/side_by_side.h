#pragma once

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include "base/watch.h"

namespace ulisse {

// Calls f(i) for i = 0, ..., count - 1, each on one thread of its own: better than one after the
// other on all threads where each is too small to keep these busy. All share the caller's watch.
template <class F>
void side_by_side(std::size_t count, const F& f) {
  Watch* watch = current_watch();
  tbb::parallel_for(std::size_t(0), count, [&](std::size_t i) {
    const WatchScope scope(watch);
    tbb::task_arena alone(1);
    alone.execute([&] { f(i); });
  });
}

}  // namespace ulisse
