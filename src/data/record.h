#pragma once

#include <string_view>
#include <vector>

#include "ulisse/types.h"

namespace ulisse::csv {

struct Field {
  std::string_view text;  // without quotes and without spaces around it
  Index line;             // where it starts: a row can span lines within quotes
};

using Record = std::vector<Field>;

}  // namespace ulisse::csv
