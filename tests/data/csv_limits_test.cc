// What a file may cost, and what stands behind the end of one that is compressed.

#include <gtest/gtest.h>

#include <string>

#include "base/limits.h"
#include "base/memory.h"
#include "support/sanitized.h"
#include "temporary_file.h"
#include "ulisse/dataset.h"

namespace ulisse {
namespace {

const std::string too_wide =
    "the row has more than 100000 fields, and no table may have more columns; is the separator "
    "right?";

std::string names(std::size_t count) {
  std::string header = "y";
  for (std::size_t k = 1; k < count; ++k) header += ",c" + std::to_string(k);
  return header + "\n";
}

TEST(CsvLimits, AHeaderOfAMillionColumnsIsRefused) {
  EXPECT_EQ(error_for(names(1'000'000)), "data.csv:1: " + too_wide);
  EXPECT_EQ(error_for("\"y\"," + names(1'000'000)), "data.csv:1: " + too_wide);
}

TEST(CsvLimits, AsManyColumnsAsAllowedAreRead) {
  const std::string header = names(limits::columns);
  std::string row = "1";
  for (std::size_t k = 1; k < limits::columns; ++k) row += ",2";
  const TemporaryFile file(header + row + "\n");
  EXPECT_EQ(read_csv(file.path(), {.target = "y", .features = {"c7"}}).x(0, 0), 2);
}

// 16 kB of gzip: the fields of the row once took 24 bytes for each comma.
TEST(CsvLimits, ARowOfCommasTakesNoMemory) {
  const std::string commas = gzipped("a,y\n" + std::string(15'000'000, ',') + "\n");
  const std::size_t before = peak_memory_bytes();
  EXPECT_EQ(error_for(commas), "data.csv:2: " + too_wide);
  if (testing::kSanitized) return;
  EXPECT_LT(peak_memory_bytes() - before, 100'000'000U);
}

TEST(CsvLimits, ATableThatTakesTooMuchIsRefusedWhileItIsRead) {
  std::string content = "a,y\n";
  for (int i = 0; i < 1000; ++i) content += "1,2\n";
  EXPECT_EQ(error_for(content, {.target = "y", .most_bytes = 8000}),
            "data.csv:502: the table takes more than 8.0 kB of memory with the 501 rows up to "
            "here, and a "
            "fit keeps up to 4 copies of it; use fewer rows or columns");
  EXPECT_EQ(error_for(content, {.target = "y", .most_bytes = 16000}), "no error");
}

// 120 kB of gzip.
TEST(CsvLimits, MoreRowsThanAnyFitTakesAreRefused) {
  if (testing::kSanitized) GTEST_SKIP() << "reads ten million rows";
  std::string content = "a,y\n";
  for (int i = 0; i < 5'000'001; ++i) content += "1,2\n3,4\n";
  EXPECT_EQ(error_for(gzipped(content)),
            "data.csv:10000002: the table has more than 10000000 rows, too many for any fit");
}

TEST(CsvLimits, GarbageBehindTheEndOfGzipIsRefused) {
  const std::string whole = gzipped("a,y\n1,2\n3,4\n");
  const std::string message =
      "data.csv: bytes that are no gzip data stand behind the end of the gzip data, so that part "
      "of the "
      "file may be lost";
  for (const char* garbage : {"5,6\n", "x", "\x1F", "\x1Fx"}) {
    EXPECT_EQ(error_for(whole + garbage), message);
  }
  EXPECT_EQ(error_for(whole + std::string(100'000, '\0') + "x"), message);
}

TEST(CsvLimits, ZerosBehindTheEndOfGzipFillABlock) {
  const TemporaryFile file(gzipped("a,y\n1,2\n3,4\n") + std::string(100'000, '\0'));
  EXPECT_EQ(read_csv(file.path(), {.target = "y"}).y.size(), 2);
}

// The magic bytes of the second member lie on both sides of what is read at a time.
TEST(CsvLimits, MembersOfGzipMayEndAnywhere) {
  const std::string first = gzipped("a,y\n1,2\n"), second = gzipped("3,4\n");
  for (std::size_t comment = 65'400; comment < 65'540; ++comment) {
    std::string padded = first;
    padded[3] = 0x10;  // with a comment, which ends with a zero
    padded.insert(10, std::string(comment, 'c') + '\0');
    const TemporaryFile file(padded + second);
    ASSERT_EQ(read_csv(file.path(), {.target = "y"}).y.size(), 2) << comment;
  }
}

}  // namespace
}  // namespace ulisse
