// What read_csv() says when there is no file to read.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "temporary_file.h"
#include "ulisse/dataset.h"

namespace ulisse {
namespace {

std::string error_reading(const std::string& path) {
  return error_of([&] { read_csv(path, {.target = "y"}); });
}

TEST(CsvReader, SaysThatAFileDoesNotExist) {
  const std::string path = ::testing::TempDir() + "ulisse_no_such_file.csv";
  EXPECT_EQ(error_reading(path), path + ": No such file or directory");
}

TEST(CsvReader, SaysThatAPathIsADirectory) {
  const std::string path = ::testing::TempDir();
  EXPECT_EQ(error_reading(path), path + ": is a directory");
}

TEST(CsvReader, SaysThatTheNameIsEmpty) {
  EXPECT_EQ(error_reading(""), "the name of the file to read is empty");
}

TEST(CsvReader, SaysThatAPathLeadsThroughAFile) {
  const TemporaryFile file("a,y\n1,2\n");
  const std::string path = file.path() + "/data.csv";
  EXPECT_EQ(error_reading(path), path + ": Not a directory");
}

TEST(CsvReader, SaysThatAFileMayNotBeRead) {
  const TemporaryFile file("a,y\n1,2\n");
  std::filesystem::permissions(file.path(), std::filesystem::perms::none);
  if (access(file.path().c_str(), R_OK) == 0) GTEST_SKIP() << "this user can read every file";
  EXPECT_EQ(error_reading(file.path()), file.path() + ": Permission denied");
}

TEST(CsvReader, SaysThatReadingFailed) {
  // Linux lets a process open its own memory and fails to read at address zero.
  const std::string path = "/proc/self/mem";
  if (access(path.c_str(), R_OK) != 0) GTEST_SKIP() << "there is no " << path;
  EXPECT_EQ(error_reading(path), path + ": Input/output error");
}

}  // namespace
}  // namespace ulisse
