#include "data/cell.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <string>
#include <system_error>

#include "base/lower_case.h"

namespace ulisse::csv {
namespace {

bool is_missing(std::string_view text) {
  constexpr std::array<std::string_view, 16> words = {
      "",  "na", "n/a", "<na>", "#na", "#n/a", "null",    "nil",
      "?", "-",  "--",  ".",    "*",   "none", "missing", "(null)"};
  constexpr std::size_t longest = std::string_view("missing").size();
  if (text.size() > longest) return false;
  return std::find(words.begin(), words.end(), lower_case(text)) != words.end();
}

// The decimal exponent, cut where no mantissa that fits a row could make up for it.
long exponent_of(std::string_view exponent) {
  constexpr long huge = 1'000'000'000;
  if (exponent.starts_with('+')) exponent.remove_prefix(1);
  long value = 0;
  const auto parsed = std::from_chars(exponent.data(), exponent.data() + exponent.size(), value);
  if (parsed.ec == std::errc::result_out_of_range) return exponent.starts_with('-') ? -huge : huge;
  return std::clamp(value, -huge, huge);
}

// Whether a well-formed number that from_chars() finds out of range is too large rather than too
// small: from the place of its first digit that is not zero.
bool is_too_large(std::string_view number) {
  const std::size_t e = std::min(number.find_first_of("eE"), number.size());
  const std::string_view mantissa = number.substr(0, e);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t first = std::min(mantissa.find_first_of("123456789"), mantissa.size());
  const long place = static_cast<long>(point) - static_cast<long>(first);
  return place + (e < number.size() ? exponent_of(number.substr(e + 1)) : 0) > 0;
}

// from_chars() takes a minus sign but no plus sign.
std::string_view without_plus(std::string_view text) {
  return text.size() > 1 && text[0] == '+' && text[1] != '-' ? text.substr(1) : text;
}

}  // namespace

Cell parse_cell(std::string_view text) {
  const std::string_view number = without_plus(text);
  const char* end = number.data() + number.size();
  double value = 0;
  const auto parsed = std::from_chars(number.data(), end, value);
  if (parsed.ec == std::errc::invalid_argument || parsed.ptr != end) {
    return {is_missing(text) ? CellKind::missing : CellKind::not_a_number};
  }
  if (parsed.ec == std::errc::result_out_of_range) {
    return {is_too_large(number) ? CellKind::not_finite : CellKind::number};
  }
  if (std::isnan(value)) return {CellKind::missing};
  return std::isfinite(value) ? Cell{CellKind::number, value} : Cell{CellKind::not_finite};
}

bool has_decimal_comma(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) return false;
  std::string pointed(text);
  pointed[comma] = '.';
  return parse_cell(pointed).kind == CellKind::number;
}

}  // namespace ulisse::csv
