// What the library says about memory.

#include "base/memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <vector>

#include "support/error_message.h"

namespace ulisse {
namespace {

using testing::contains;
using testing::message_of;

constexpr std::size_t kGigabyte = 1'000'000'000;

TEST(Memory, BytesAreReadable) {
  EXPECT_EQ(readable_bytes(0), "0 bytes");
  EXPECT_EQ(readable_bytes(999), "999 bytes");
  EXPECT_EQ(readable_bytes(1000), "1.0 kB");
  EXPECT_EQ(readable_bytes(1'250'000), "1.2 MB");
  EXPECT_EQ(readable_bytes(4'200'000'000), "4.2 GB");
  EXPECT_EQ(readable_bytes(80 * kGigabyte), "80.0 GB");
  EXPECT_EQ(readable_bytes(64'000 * kGigabyte), "64.0 TB");
  EXPECT_EQ(readable_bytes(5'000'000 * kGigabyte), "5000.0 TB");
}

TEST(Memory, AnyNumberOfDoublesHasBytes) {
  EXPECT_EQ(bytes_of(0), 0U);
  EXPECT_EQ(bytes_of(1e9), 8 * kGigabyte);
  EXPECT_GT(bytes_of(1e40), machine_memory_bytes());
}

TEST(Memory, WhatIsAvailableFitsInTheMachine) {
  EXPECT_GT(available_memory_bytes(), 0U);
  EXPECT_LE(available_memory_bytes(), machine_memory_bytes());
}

TEST(Memory, ThePeakRemembersWhatWasFreed) {
  const std::size_t size = 80'000'000;
  { const std::vector<char> touched(size, 1); }
  EXPECT_GE(peak_memory_bytes(), size);
  EXPECT_LE(peak_memory_bytes(), machine_memory_bytes());
}

TEST(Memory, WhatIsReservedAndNotTouchedIsNotInThePeak) {
  const std::size_t size = machine_memory_bytes();
  void* reserved =
      mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(reserved, MAP_FAILED);
  EXPECT_LT(peak_memory_bytes(), size);
  munmap(reserved, size);
}

TEST(Memory, WhatFitsPasses) {
  EXPECT_NO_THROW(check_memory("nothing", 0));
  EXPECT_NO_THROW(check_memory("a little", 1000));
}

TEST(Memory, TooMuchIsAnInputErrorThatNamesGigabytes) {
  const std::size_t needed = 900 * kGigabyte;
  if (available_memory_bytes() >= needed) GTEST_SKIP() << "this machine has it";
  const std::string message = message_of([&] { check_memory("the matrix of 5 rows", needed); });
  EXPECT_TRUE(message.starts_with("the matrix of 5 rows needs 900.0 GB of memory")) << message;
  EXPECT_TRUE(contains(message, " are available")) << message;
}

TEST(Memory, MoreThanAnyMachineHasIsAnInputErrorThatNamesTerabytes) {
  const std::string message =
      message_of([] { check_memory("the matrix", 64'000'000 * kGigabyte); });
  EXPECT_TRUE(contains(message, "64000.0 TB")) << message;
}

}  // namespace
}  // namespace ulisse
