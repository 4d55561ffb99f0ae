#include "data/text.h"

#include <fmt/format.h>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace ulisse::csv {
namespace {

constexpr std::size_t longest_shown = 40;

unsigned char byte(char c) { return static_cast<unsigned char>(c); }
bool is_control(char c) { return byte(c) < 0x20 || byte(c) == 0x7F; }
bool is_continuation(char c) { return (byte(c) & 0xC0) == 0x80; }

// Overlong forms, surrogates and what lies past Unicode's end are invalid: JSON refuses them.
bool is_valid_code_point(std::uint32_t code, std::size_t bytes) {
  constexpr std::uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  return code >= smallest[bytes] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
}

// The number of bytes of the UTF-8 character in front of a text that is not empty; 0 if invalid.
std::size_t character_length(std::string_view text) {
  const auto bytes = static_cast<std::size_t>(std::countl_one(byte(text.front())));
  if (bytes == 0) return 1;
  if (bytes == 1 || bytes > 4 || bytes > text.size()) return 0;
  std::uint32_t code = byte(text.front()) & (0x7Fu >> bytes);
  for (const char c : text.substr(1, bytes - 1)) {
    if (!is_continuation(c)) return 0;
    code = (code << 6) | (byte(c) & 0x3Fu);
  }
  return is_valid_code_point(code, bytes) ? bytes : 0;
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string shown(std::string_view text) {
  std::string result = "'";
  while (!text.empty() && result.size() <= longest_shown) {
    const std::size_t length = character_length(text);
    if (length == 0 || is_control(text.front())) {
      result += fmt::format("\\x{:02X}", byte(text.front()));
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return result + (text.empty() ? "'" : "...'");
}

}  // namespace ulisse::csv
