#include "base/nearest_name.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "base/lower_case.h"

namespace ulisse {
namespace {

// The fewest letters to insert, delete, replace or swap with their neighbour. Three rows of the
// table are kept: row[j] is the distance from the first i + 1 letters of a to the first j letters
// of b.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1), above(row), two_above(row);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    two_above.swap(above);
    above.swap(row);
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = std::min({above[j] + (a[i] != b[j]), row[j] + 1, above[j + 1] + 1});
      const bool swapped = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
      if (swapped) row[j + 1] = std::min(row[j + 1], two_above[j - 1] + 1);
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

std::string did_you_mean(std::string_view name, std::span<const std::string> names) {
  const auto nearest = nearest_name(name, names);
  return nearest ? " (did you mean '" + *nearest + "'?)" : "";
}

}  // namespace ulisse
