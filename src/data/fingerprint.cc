#include <fmt/format.h>

#include "base/fnv1a.h"
#include "ulisse/dataset.h"

namespace ulisse {

std::string fingerprint(const Dataset& data) {
  Fnv1a hash;
  hash.add(static_cast<std::uint64_t>(data.x.rows()));
  hash.add(static_cast<std::uint64_t>(data.x.cols()));
  for (const std::string& feature : data.features) hash.add(feature);
  hash.add(data.target);
  for (const double value : data.x.reshaped()) hash.add(value);
  for (const double value : data.y) hash.add(value);
  // What tables of numbers alone do not have; theirs are those of older versions.
  for (const auto& levels : data.levels) {
    hash.add(static_cast<std::uint64_t>(levels.size()));
    for (const std::string& level : levels) hash.add(level);
  }
  for (const std::string& day : data.first_days) hash.add(day);
  if (data.known_noise) {
    hash.add(static_cast<std::uint64_t>(data.known_noise->column));
    hash.add(static_cast<std::uint64_t>(data.known_noise->is_variance ? 1 : 0));
  }
  return fmt::format("{:016x}", hash.hash());
}

}  // namespace ulisse
