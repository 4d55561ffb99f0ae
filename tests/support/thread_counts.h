#pragma once

#include <gtest/gtest.h>
#include <oneapi/tbb/task_arena.h>

#include "ulisse/threads.h"

namespace ulisse::testing {

// f() on `count` threads. An arena of its own, since the default one has no more places than the
// machine has cores, whatever the limit allows.
template <class F>
auto on_threads(int count, const F& f) {
  set_threads(count);
  tbb::task_arena arena(count);
  auto result = arena.execute(f);
  set_threads(0);
  return result;
}

// f() returns something that can be compared: the same bits on 1, 2, 3 and 8 threads.
template <class F>
void expect_same_bits_on_any_threads(const F& f) {
  const auto expected = on_threads(1, f);
  for (const int count : {2, 3, 8})
    EXPECT_EQ(on_threads(count, f), expected) << count << " threads";
}

}  // namespace ulisse::testing
