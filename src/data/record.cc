#include "data/record.h"

#include <fmt/format.h>

#include "base/limits.h"
#include "ulisse/error.h"

namespace ulisse::csv {

void check_field_count(std::size_t fields, const std::string& path, Index line) {
  if (fields <= limits::columns) return;
  throw InputError(
      fmt::format("{}:{}: the row has more than {} fields, and no table may have more columns; is "
                  "the separator right?",
                  path, line, limits::columns));
}

}  // namespace ulisse::csv
