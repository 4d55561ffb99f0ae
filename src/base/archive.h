#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <functional>
#include <istream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ulisse/types.h"

namespace ulisse {

// States to bytes and back, exactly: doubles keep all their bits, and the bytes are the same on
// every machine (little-endian). A type takes part with one function for both directions,
//
//   template <class A> void archive(A& a) { a(psi_, step_size_, window_); }
//
// or, where its members have names that others than archives ask for (base/json_fields.h), with
//
//   template <class V> void fields(V& v) { v("psi", psi); v("step", step); }
//
// Each value starts with a byte that says what it is, so that a reader who asks for something else
// than was written finds out at once. Flipped bits are for the file's checksum to find.
class ArchiveWriter {
 public:
  using Sink = std::function<void(std::string_view)>;

  // Keeps the bytes, or hands them on piece by piece: states may be larger than memory has room
  // for twice.
  ArchiveWriter() = default;
  explicit ArchiveWriter(Sink sink) : sink_(std::move(sink)) {}

  template <class... T>
  void operator()(const T&... values) {
    (write(values), ...);
  }

  const std::string& bytes() const { return bytes_; }  // all of them where there is no sink

  // Hands the last of them on.
  void flush();

 private:
  void write(bool value) { bytes_ += value ? "b\1" : std::string_view("b\0", 2); }
  void write(const char*) = delete;  // it would be taken for a bool
  void write(double value) { number('d', std::bit_cast<std::uint64_t>(value)); }
  void write(std::signed_integral auto value) { number('i', static_cast<std::uint64_t>(value)); }
  void write(std::unsigned_integral auto value) { number('u', value); }

  void write(const std::string& value) {
    number('s', value.size());
    bytes_ += value;
  }

  // Names are for others: members stand in their order.
  struct Members {
    ArchiveWriter& writer;
    template <class T>
    void operator()(const char* /*name*/, const T& value) {
      writer.write(value);
    }
  };

  void write(const Matrix& value) { matrix('m', value); }
  void write(const Vector& value) { matrix('v', value); }

  template <class T>
  void write(const std::vector<T>& values) {
    number('l', values.size());
    for (const T& value : values) write(value);
  }

  template <class T>
  void write(const std::optional<T>& value) {
    number('o', value.has_value() ? 1 : 0);
    if (value) write(*value);
  }

  // archive() serves both directions and so is not const, but only reads for a writer.
  template <class T>
  requires requires(T& value, ArchiveWriter& writer) { value.archive(writer); }
  void write(const T& value) { const_cast<T&>(value).archive(*this); }

  template <class T>
  requires requires(T& value, Members& members) { value.fields(members); }
  void write(const T& value) {
    Members members{*this};
    const_cast<T&>(value).fields(members);
  }

  void matrix(char kind, const ConstBlock& value);
  void number(char kind, std::uint64_t bits);
  void raw(std::uint64_t bits);

  Sink sink_;
  std::string bytes_;
};

// Throws std::runtime_error when the bytes end too early or hold something else, or when a matrix
// or vector that is not empty would get another shape. Nothing is allocated that the bytes left
// could not fill.
class ArchiveReader {
 public:
  explicit ArchiveReader(std::string bytes);

  // Reads `size` bytes from a stream, as they are asked for.
  ArchiveReader(std::unique_ptr<std::istream> source, std::uint64_t size);

  template <class... T>
  void operator()(T&... values) {
    (read(values), ...);
  }

  // For a chain that has gone on since its state was saved, and has other shapes by now.
  void accept_other_shapes() { same_shapes_ = false; }

  // Throws std::runtime_error when something is left that nobody asked for.
  void finish() const {
    if (left() != 0) fail("bytes are left over at its end");
  }

 private:
  void read(bool& value) {
    expect('b');
    const unsigned char byte = next();
    if (byte > 1) fail("a truth value is neither 0 nor 1");
    value = byte == 1;
  }

  void read(double& value) { value = std::bit_cast<double>(number('d')); }

  template <std::integral T>
  void read(T& value) {
    const std::uint64_t bits = number(std::signed_integral<T> ? 'i' : 'u');
    value = static_cast<T>(bits);
    if (static_cast<std::uint64_t>(value) != bits) fail("an integer is out of range");
  }

  void read(std::string& value) {
    value.resize(count('s'));
    take(value.data(), value.size());
  }

  // A chain that is made anew has matrices of the shapes that its state has.
  void read(Matrix& value) {
    Matrix read = matrix('m');
    if (same_shapes_ && value.size() > 0 &&
        (read.rows() != value.rows() || read.cols() != value.cols())) {
      fail("a matrix has another shape");
    }
    value = std::move(read);
  }

  void read(Vector& value) {
    const Matrix column = matrix('v');
    if (column.cols() != 1) fail("a vector has more than one column");
    if (same_shapes_ && value.size() > 0 && column.rows() != value.size())
      fail("a vector has another length");
    value = column;
  }

  // One after the other: a wrong count ends with the bytes, not with the memory.
  template <class T>
  void read(std::vector<T>& values) {
    const std::size_t size = count('l');
    values.clear();
    for (std::size_t i = 0; i < size; ++i) {
      T value;
      read(value);
      values.push_back(std::move(value));
    }
  }

  template <class T>
  void read(std::optional<T>& value) {
    const std::uint64_t present = number('o');
    if (present > 1) fail("an optional value is there more than once");
    value.reset();
    if (present == 1) read(value.emplace());
  }

  template <class T>
  requires requires(T& value, ArchiveReader& reader) { value.archive(reader); }
  void read(T& value) { value.archive(*this); }

  struct Members {
    ArchiveReader& reader;
    template <class T>
    void operator()(const char* /*name*/, T& value) {
      reader.read(value);
    }
  };

  template <class T>
  requires requires(T& value, Members& members) { value.fields(members); }
  void read(T& value) {
    Members members{*this};
    value.fields(members);
  }

  Matrix matrix(char kind);
  std::size_t count(char kind);  // of things that take at least a byte each
  std::uint64_t number(char kind);
  std::uint64_t raw();
  void expect(char kind);
  unsigned char next();
  void take(char* bytes, std::size_t size);
  std::uint64_t left() const { return left_; }
  [[noreturn]] static void fail(const char* why);

  bool same_shapes_ = true;
  std::unique_ptr<std::istream> source_;
  std::uint64_t left_;
};

}  // namespace ulisse
