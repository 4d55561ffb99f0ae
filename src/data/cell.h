#pragma once

#include <string_view>

namespace ulisse::csv {

enum class CellKind {
  number,        // a finite decimal number
  missing,       // empty, or a word that stands for "no value", such as NA or NaN
  not_finite,    // infinity, or a number beyond the range of double
  not_a_number,  // anything else
};

struct Cell {
  CellKind kind;
  double value = 0;  // when kind is number
};

// Expects text without spaces around it. Does not depend on the locale. A number too small for
// double becomes zero.
Cell parse_cell(std::string_view text);

// Whether it would be a number if its comma were a point.
bool has_decimal_comma(std::string_view text);

}  // namespace ulisse::csv
