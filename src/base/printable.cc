#include "base/printable.h"

#include <fmt/format.h>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace ulisse {
namespace {

unsigned char byte(char c) { return static_cast<unsigned char>(c); }
bool is_continuation(char c) { return (byte(c) & 0xC0) == 0x80; }

// Overlong forms, surrogates and what lies past Unicode's end are invalid: JSON refuses them.
bool is_valid_code_point(std::uint32_t code, std::size_t bytes) {
  constexpr std::uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  return code >= smallest[bytes] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
}

struct Character {
  std::size_t bytes;  // 0 if invalid
  std::uint32_t code;
};

// In front of a text that is not empty.
Character first_character(std::string_view text) {
  const auto bytes = static_cast<std::size_t>(std::countl_one(byte(text.front())));
  if (bytes == 0) return {1, byte(text.front())};
  if (bytes == 1 || bytes > 4 || bytes > text.size()) return {};
  std::uint32_t code = byte(text.front()) & (0x7Fu >> bytes);
  for (const char c : text.substr(1, bytes - 1)) {
    if (!is_continuation(c)) return {};
    code = (code << 6) | (byte(c) & 0x3Fu);
  }
  return is_valid_code_point(code, bytes) ? Character{bytes, code} : Character{};
}

// C0, DEL and C1, whose U+009B begins an escape sequence, too; line separators; directions.
bool upsets_a_terminal(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x200E || code == 0x200F ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = first_character(text).bytes;
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

void move_printable(std::string_view& text, std::string& out) {
  const Character first = first_character(text);
  const std::size_t bytes = first.bytes == 0 ? 1 : first.bytes;
  const std::string_view character = text.substr(0, bytes);
  if (first.bytes > 0 && !upsets_a_terminal(first.code)) {
    out += character;
  } else {
    for (const char c : character) out += fmt::format("\\x{:02X}", byte(c));
  }
  text.remove_prefix(bytes);
}

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) move_printable(text, result);
  return result;
}

std::string printable_lines(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    if (text.front() == '\n') {
      result += '\n';
      text.remove_prefix(1);
    } else {
      move_printable(text, result);
    }
  }
  return result;
}

}  // namespace ulisse
