#include <fmt/format.h>

#include <algorithm>

#include "ulisse/dataset.h"

namespace ulisse {
namespace {

// Fewer rows may have two values by chance.
constexpr Index kMinRows = 10;

}  // namespace

void note_two_values(Dataset& data) {
  if (data.y.size() < kMinRows) return;
  const double least = data.y.minCoeff(), most = data.y.maxCoeff();
  if (least == most || ((data.y.array() != least) && (data.y.array() != most)).any()) return;
  data.notes.push_back(fmt::format(
      "the target is {0:.6g} or {1:.6g} in every row, and the model takes it for a number with "
      "Gaussian noise: predictions are not probabilities, and intervals may reach beyond {0:.6g} "
      "and {1:.6g}",
      least, most));
}

}  // namespace ulisse
