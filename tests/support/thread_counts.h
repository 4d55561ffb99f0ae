#pragma once

#include <gtest/gtest.h>

#include "ulisse/threads.h"

namespace ulisse::testing {

// f() returns a Matrix or a Vector: the same bits on 1, 2 and 8 threads.
template <class F>
void expect_same_bits_on_any_threads(const F& f) {
  set_threads(1);
  const auto expected = f();
  for (const int count : {2, 8}) {
    set_threads(count);
    EXPECT_EQ(f(), expected) << count << " threads";
  }
  set_threads(0);
}

}  // namespace ulisse::testing
