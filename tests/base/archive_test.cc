// Archives: exact both ways, the same bytes everywhere, and no harm from bytes that are wrong.

#include "base/archive.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/memory.h"
#include "support/error_message.h"
#include "support/random_points.h"
#include "ulisse/random.h"

namespace ulisse {
namespace {

using testing::contains;
using testing::message_of;
using testing::normal_matrix;

template <class... T>
std::string written(const T&... values) {
  ArchiveWriter writer;
  writer(values...);
  return writer.bytes();
}

template <class T>
T read_back(const std::string& bytes) {
  ArchiveReader reader(bytes);
  T value{};
  reader(value);
  reader.finish();
  return value;
}

template <class T>
void expect_round_trip(const T& value) {
  EXPECT_EQ(read_back<T>(written(value)), value);
}

struct Inner {
  int count = 0;
  std::vector<double> values;
  template <class A>
  void archive(A& a) {
    a(count, values);
  }
  bool operator==(const Inner&) const = default;
};

struct Outer {
  std::optional<Inner> inner;
  std::vector<std::string> names;
  Matrix m;
  bool flag = false;
  template <class A>
  void archive(A& a) {
    a(inner, names, m, flag);
  }
  bool operator==(const Outer&) const = default;
};

Outer example() {
  return {Inner{-7, {1.5, -0.0, 1e-310}}, {"tau.1", "", "\n"}, normal_matrix(2, 3, 1), true};
}

TEST(Archive, EveryTypeComesBackAsItWas) {
  expect_round_trip(true);
  expect_round_trip(false);
  expect_round_trip(-3);
  expect_round_trip(std::numeric_limits<std::int64_t>::min());
  expect_round_trip(std::numeric_limits<std::uint64_t>::max());
  expect_round_trip(std::uint8_t{200});
  expect_round_trip(std::string("a\0b", 3));
  expect_round_trip(std::string());
  expect_round_trip(Vector(normal_matrix(5, 1, 2)));
  expect_round_trip(normal_matrix(4, 3, 3));
  expect_round_trip(std::vector<Vector>{Vector::Ones(2), Vector()});
  expect_round_trip(std::vector<bool>{true, false, true});
  expect_round_trip(std::optional<int>());
  expect_round_trip(std::optional<double>(2.5));
}

TEST(Archive, DoublesKeepAllTheirBits) {
  for (const double value : {0.1, -0.0, 5e-324, std::numeric_limits<double>::max(), std::nan("7"),
                             -std::numeric_limits<double>::infinity()}) {
    const auto back = read_back<double>(written(value));
    EXPECT_EQ(std::bit_cast<std::uint64_t>(back), std::bit_cast<std::uint64_t>(value)) << value;
  }
}

TEST(Archive, TypesWithAnArchiveFunctionNest) { expect_round_trip(example()); }

TEST(Archive, EmptyMatricesKeepTheirShape) {
  const auto back = read_back<Matrix>(written(Matrix(3, 0)));
  EXPECT_EQ(back.rows(), 3);
  EXPECT_EQ(back.cols(), 0);
}

TEST(Archive, BytesAreLittleEndian) {
  EXPECT_EQ(written(1.0), std::string("d\0\0\0\0\0\0\xf0\x3f", 9));
  EXPECT_EQ(written(258), std::string("i\2\1\0\0\0\0\0\0", 9));
}

TEST(Archive, EveryTruncationIsAnError) {
  const std::string bytes = written(example());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(read_back<Outer>(bytes.substr(0, size)), std::runtime_error) << size;
  }
}

TEST(Archive, BytesLeftOverAreAnError) {
  EXPECT_THROW(read_back<Outer>(written(example()) + 'x'), std::runtime_error);
}

TEST(Archive, AnotherTypeThanWrittenIsAnError) {
  EXPECT_THROW(read_back<double>(written(1)), std::runtime_error);
  EXPECT_THROW(read_back<bool>(written(1)), std::runtime_error);
  EXPECT_THROW(read_back<unsigned>(written(1)), std::runtime_error);
  EXPECT_THROW(read_back<Vector>(written(normal_matrix(2, 2, 4))), std::runtime_error);
  EXPECT_THROW(read_back<std::string>(written(std::vector<int>{1})), std::runtime_error);
}

TEST(Archive, IntegersThatDoNotFitAreAnError) {
  EXPECT_THROW(read_back<int>(written(std::int64_t{1} << 40)), std::runtime_error);
  EXPECT_THROW(read_back<std::uint8_t>(written(std::uint64_t{256})), std::runtime_error);
}

// A size field with every bit set, or one that overflows when multiplied by 8.
TEST(Archive, AbsurdSizesAreRefusedWithoutAllocating) {
  const std::size_t before = peak_memory_bytes();
  for (const std::uint64_t size :
       {~std::uint64_t{0}, std::uint64_t{1} << 61, std::uint64_t{1} << 36}) {
    for (const char kind : {'s', 'l', 'v', 'm'}) {
      std::string bytes = written(size, size, 1.0);
      bytes[0] = bytes[9] = kind;
      const std::string message = message_of<std::runtime_error>([&] {
        if (kind == 's') read_back<std::string>(bytes);
        if (kind == 'l') read_back<std::vector<Matrix>>(bytes);
        if (kind == 'v') read_back<Vector>(bytes);
        if (kind == 'm') read_back<Matrix>(bytes);
      });
      EXPECT_TRUE(contains(message, "a size beyond its own")) << kind << size << message;
    }
  }
  EXPECT_LT(peak_memory_bytes() - before, 10'000'000U);
}

// A state of wrong shapes with a right checksum once ended in a crash.
TEST(Archive, WhatHasAShapeKeepsIt) {
  Matrix m = Matrix::Zero(2, 3), empty;
  Vector v = Vector::Zero(2);
  ArchiveReader(written(Matrix(Matrix::Ones(2, 3))))(m);
  EXPECT_EQ(m.sum(), 6);
  EXPECT_THROW(ArchiveReader(written(Matrix(Matrix::Ones(3, 2))))(m), std::runtime_error);
  EXPECT_THROW(ArchiveReader(written(Matrix{}))(m), std::runtime_error);
  EXPECT_THROW(ArchiveReader(written(Vector(Vector::Ones(3))))(v), std::runtime_error);
  ArchiveReader(written(Matrix(Matrix::Ones(3, 2))))(empty);
  EXPECT_EQ(empty.rows(), 3);
}

// Any bytes at all: an answer or std::runtime_error.
TEST(Archive, DamagedBytesAreReadOrRefused) {
  const std::string good = written(example());
  Rng rng = stream(1, 0, Purpose::simulation);
  for (int trial = 0; trial < 20'000; ++trial) {
    std::string bytes = good;
    for (int i = 0; i < 3; ++i) {
      bytes[static_cast<std::size_t>(rng.below(static_cast<Index>(bytes.size())))] =
          static_cast<char>(rng.below(256));
    }
    try {
      read_back<Outer>(bytes);
    } catch (const std::runtime_error&) {
    }
  }
}

}  // namespace
}  // namespace ulisse
