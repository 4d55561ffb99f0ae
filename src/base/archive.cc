#include "base/archive.h"

#include <sstream>

namespace ulisse {

namespace {

constexpr std::uint64_t kMaxRows = std::uint64_t{1} << 40;
constexpr std::size_t kPiece = 1 << 16;  // bytes that a sink is given at once
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
  if (sink_ && bytes_.size() >= kPiece) flush();
}

void ArchiveWriter::flush() {
  if (!sink_) return;
  sink_(bytes_);
  bytes_.clear();
}

ArchiveReader::ArchiveReader(std::string bytes) : left_(bytes.size()) {
  source_ = std::make_unique<std::istringstream>(std::move(bytes));
}

ArchiveReader::ArchiveReader(std::unique_ptr<std::istream> source, std::uint64_t size)
    : source_(std::move(source)), left_(size) {}

Matrix ArchiveReader::matrix(char kind) {
  const std::uint64_t rows = number(kind), cols = number(kind), room = left() / 8;
  if (rows > kMaxRows || cols > kMaxRows || (cols > 0 && rows > room / cols)) fail(kTooLarge);
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
  char bytes[8];
  take(bytes, sizeof bytes);
  std::uint64_t bits = 0;
  for (int i = 0; i < 8; ++i) {
    bits |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  }
  return bits;
}

void ArchiveReader::expect(char kind) {
  if (static_cast<char>(next()) != kind) fail("it holds something else than was asked for");
}

unsigned char ArchiveReader::next() {
  char byte;
  take(&byte, 1);
  return static_cast<unsigned char>(byte);
}

void ArchiveReader::take(char* bytes, std::size_t size) {
  if (left() < size) fail(kTooShort);
  const auto wanted = static_cast<std::streamsize>(size);
  if (source_->rdbuf()->sgetn(bytes, wanted) != wanted) fail(kTooShort);
  left_ -= size;
}

void ArchiveReader::fail(const char* why) {
  throw std::runtime_error(std::string("a saved state cannot be read: ") + why);
}

}  // namespace ulisse
