#include "base/archive.h"

namespace ulisse {

namespace {

constexpr std::uint64_t kMostRows = std::uint64_t{1} << 40;
constexpr const char* kTooLarge = "it names a size beyond its own";
constexpr const char* kTooShort = "it ends too early";

}  // namespace

void ArchiveWriter::matrix(char kind, const ConstBlock& value) {
  number(kind, static_cast<std::uint64_t>(value.rows()));
  number(kind, static_cast<std::uint64_t>(value.cols()));
  for (Index c = 0; c < value.cols(); ++c) {
    for (Index r = 0; r < value.rows(); ++r) raw(std::bit_cast<std::uint64_t>(value(r, c)));
  }
}

void ArchiveWriter::number(char kind, std::uint64_t bits) {
  bytes_ += kind;
  raw(bits);
}

void ArchiveWriter::raw(std::uint64_t bits) {
  for (int i = 0; i < 8; ++i) bytes_ += static_cast<char>((bits >> (8 * i)) & 0xff);
}

Matrix ArchiveReader::matrix(char kind) {
  const std::uint64_t rows = number(kind), cols = number(kind), room = left() / 8;
  if (rows > kMostRows || cols > kMostRows || (cols > 0 && rows > room / cols)) fail(kTooLarge);
  Matrix value(static_cast<Index>(rows), static_cast<Index>(cols));
  for (double& element : value.reshaped()) element = std::bit_cast<double>(raw());
  return value;
}

std::size_t ArchiveReader::count(char kind) {
  const std::uint64_t size = number(kind);
  if (size > left()) fail(kTooLarge);
  return static_cast<std::size_t>(size);
}

std::uint64_t ArchiveReader::number(char kind) {
  expect(kind);
  return raw();
}

std::uint64_t ArchiveReader::raw() {
  if (left() < 8) fail(kTooShort);
  std::uint64_t bits = 0;
  for (int i = 0; i < 8; ++i) bits |= std::uint64_t{next()} << (8 * i);
  return bits;
}

void ArchiveReader::expect(char kind) {
  if (static_cast<char>(next()) != kind) fail("it holds something else than was asked for");
}

unsigned char ArchiveReader::next() {
  if (left() == 0) fail(kTooShort);
  return static_cast<unsigned char>(bytes_[position_++]);
}

void ArchiveReader::fail(const char* why) {
  throw std::runtime_error(std::string("a saved state cannot be read: ") + why);
}

}  // namespace ulisse
