// Random tables, written with every freedom the format leaves and read back; and a large one.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <chrono>
#include <cmath>
#include <random>
#include <string>

#include "support/sanitized.h"
#include "temporary_file.h"
#include "ulisse/dataset.h"

namespace ulisse {
namespace {

// Writes a table with random spaces, quotes, line ends, blank lines and a column of text.
class Writer {
 public:
  explicit Writer(unsigned seed) : random_(seed) {}

  std::string write(const Matrix& values) {
    std::string text = one_in(2) ? "\xEF\xBB\xBF" : "";
    for (Index j = 0; j < values.cols(); ++j) text += field(fmt::format("c{}", j)) + ",";
    text += "text" + line_end();
    for (Index i = 0; i < values.rows(); ++i) {
      for (Index j = 0; j < values.cols(); ++j) text += field(number(values(i, j))) + ",";
      text += words() + line_end();
    }
    return text;
  }

 private:
  bool one_in(unsigned k) { return random_() % k == 0; }

  std::string field(const std::string& value) {
    const std::string quote = one_in(4) ? "\"" : "";
    return spaces() + quote + spaces() + value + spaces() + quote + spaces();
  }

  std::string number(double value) {
    const std::string sign = value >= 0 && one_in(4) ? "+" : "";
    return sign + (one_in(2) ? fmt::format("{}", value) : fmt::format("{:.16e}", value));
  }

  std::string words() {
    constexpr const char* choices[] = {"",
                                       "plain",
                                       "5\" pipe",
                                       "\"a, b\"",
                                       "\"\"",
                                       "\"\"\"\"",
                                       "\"a\r\nb\n\n,\"",
                                       "\" \"\"x\"\", \"",
                                       "größe",
                                       " \"\n\" \t",
                                       "NaN",
                                       "\xFF"};
    return choices[random_() % std::size(choices)];
  }

  std::string line_end() {
    constexpr const char* choices[] = {"\n", "\r\n", "\r", "\n\n", "\r\n \t\r\n"};
    return choices[random_() % std::size(choices)];
  }

  std::string spaces() {
    return std::string(one_in(3) ? random_() % 3 : 0, one_in(2) ? ' ' : '\t');
  }

  std::mt19937 random_;
};

// Of every magnitude double has.
Matrix random_values(Index n, Index d, unsigned seed) {
  std::mt19937_64 random(seed);
  Matrix values(n, d);
  for (double& value : values.reshaped()) {
    do {
      value = std::bit_cast<double>(random());
    } while (!std::isfinite(value));
  }
  return values;
}

TEST(CsvReader, ReadsRandomTablesBackBitForBit) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Index n = 1 + seed % 50, d = 2 + seed % 5;
    const Matrix values = random_values(n, d, seed);
    const std::string text = Writer(seed).write(values);
    const TemporaryFile file(seed % 2 == 0 ? text : gzipped(text));
    CsvOptions options{.target = "c0"};
    for (Index j = 1; j < d; ++j) options.features.push_back(fmt::format("c{}", j));
    const Dataset data = read_csv(file.path(), options);
    ASSERT_EQ(data.y, values.col(0)) << "seed " << seed;
    ASSERT_EQ(data.x, values.rightCols(d - 1)) << "seed " << seed;
  }
}

// A megabyte against a buffer of 2^18, shifted byte by byte: quotes and both halves of a line end
// come to lie on either side of the buffer's edge.
TEST(CsvReader, LosesNothingAtTheEdgeOfItsBuffer) {
  for (std::size_t shift = 0; shift < 8; ++shift) {
    std::string text = "a," + std::string(shift, 'y') + "y,t\r\n";
    for (int i = 0; i < 40'000; ++i) text += fmt::format("{},{},\"x\"\"\r\ny\"\r\n", i, -i);
    const TemporaryFile file(text);
    const Dataset data =
        read_csv(file.path(), {.target = std::string(shift, 'y') + "y", .features = {"a"}});
    ASSERT_EQ(data.x.col(0), Vector::LinSpaced(40'000, 0, 39'999));
    ASSERT_EQ(data.y, -data.x.col(0));
  }
}

TEST(CsvReader, CountsALineEndThatTheEdgeOfItsBufferCutsOnce) {
  const std::size_t edge = std::size_t{1} << 18;
  for (std::size_t length = edge - 3; length <= edge + 3; ++length) {
    std::string text = "a,y,t\r\n1,2,";
    text.resize(length, 'x');
    const TemporaryFile file(text + "\r\nabc,3,x\r\n");
    const std::string message =
        error_of([&] { read_csv(file.path(), {.target = "y", .features = {"a"}}); });
    EXPECT_TRUE(message.starts_with(file.path() + ":3: column 'a': 'abc'")) << message;
  }
}

std::string large_table(Index n) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  std::string text = "a,b,c,d,e,f,g,h,y\n";
  for (Index i = 0; i < n; ++i) {
    for (int j = 0; j < 9; ++j) {
      fmt::format_to(std::back_inserter(text), "{}{}", normal(random), j == 8 ? '\n' : ',');
    }
  }
  return text;
}

TEST(CsvReader, ReadsAMillionRowsOfNineCellsInSeconds) {
  const Index n = 1'000'000;
  const TemporaryFile file(large_table(n));
  const auto start = std::chrono::steady_clock::now();
  const Dataset data = read_csv(file.path(), {.target = "y"});
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  RecordProperty("seconds", fmt::format("{:.2f}", seconds.count()));
  EXPECT_EQ(data.x.rows(), n);
  EXPECT_EQ(data.x.cols(), 8);
  EXPECT_NEAR(data.x.mean(), 0, 0.002);  // 5.6 standard errors
  EXPECT_LT(seconds.count(), testing::kSanitized ? 100 : 10);
}

}  // namespace
}  // namespace ulisse
