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
  return fmt::format("{:016x}", hash.hash());
}

}  // namespace ulisse
