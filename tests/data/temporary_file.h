#pragma once

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "ulisse/dataset.h"
#include "ulisse/error.h"

namespace ulisse {

// A file of this content that is gone at the end of the scope. The name holds the process id: tests
// run side by side.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view content, const std::string& name = "data.csv")
      : path_(::testing::TempDir() + "ulisse_" + std::to_string(getpid()) + "_" + name) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// The bytes of a gzip file.
inline std::string gzipped(std::string_view content) {
  const TemporaryFile file("", "to_compress.gz");
  gzFile out = gzopen(file.path().c_str(), "wb1");
  EXPECT_EQ(gzwrite(out, content.data(), static_cast<unsigned>(content.size())),
            static_cast<int>(content.size()));
  EXPECT_EQ(gzclose(out), Z_OK);
  std::ifstream in(file.path(), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline Dataset read_table(std::string_view content, const CsvOptions& options = {.target = "y"}) {
  const TemporaryFile file(content);
  return read_csv(file.path(), options);
}

// The message of the InputError that f() throws.
template <typename F>
std::string error_of(const F& f) {
  try {
    f();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

// Of a table of this content, with the file's path written as "data.csv": as the user would see it.
inline std::string error_for(std::string_view content,
                             const CsvOptions& options = {.target = "y"}) {
  const TemporaryFile file(content);
  std::string message = error_of([&] { read_csv(file.path(), options); });
  const auto at = message.find(file.path());
  return at == std::string::npos ? message : message.replace(at, file.path().size(), "data.csv");
}

}  // namespace ulisse
