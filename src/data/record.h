#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ulisse/types.h"

namespace ulisse::csv {

struct Field {
  std::string_view text;  // without quotes and without spaces around it
  Index line;             // where it starts: a row can span lines within quotes
};

using Record = std::vector<Field>;

// Throws InputError when a row that begins in `line` has more fields than any table has columns.
void check_field_count(std::size_t fields, const std::string& path, Index line);

}  // namespace ulisse::csv
