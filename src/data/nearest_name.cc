#include "data/nearest_name.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "data/text.h"

namespace ulisse::csv {
namespace {

// Levenshtein's: the fewest letters to insert, delete or replace. One row of the table is kept:
// row[j] is the distance from the first i letters of a to the first j letters of b.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace

std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string> names) {
  const std::string wanted = lower_case(name);
  std::size_t closest = std::max<std::size_t>(1, wanted.size() / 3) + 1;
  std::optional<std::string> nearest;
  for (const std::string& candidate : names) {
    const std::string lower = lower_case(candidate);
    const std::size_t distance = edit_distance(wanted, lower);
    if (distance >= closest || distance >= lower.size()) continue;
    closest = distance;
    nearest = candidate;
  }
  return nearest;
}

}  // namespace ulisse::csv
