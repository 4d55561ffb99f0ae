#include "predict/rows_of_fit.h"

#include <unordered_set>

#include "base/fnv1a.h"

namespace ulisse {

namespace {

// Equal values scale to the same bits. Known noise is no input, and need not be in a new table.
std::uint64_t hash_of_row(const Dataset& scaled, Index row) {
  Fnv1a hash;
  for (Index k = 0; k < scaled.x.cols(); ++k) {
    const bool input = !scaled.known_noise || scaled.known_noise->column != k;
    if (input) hash.add(scaled.x(row, k) + 0.0);  // -0 is 0
  }
  hash.add(scaled.y(row) + 0.0);
  return hash.hash();
}

}  // namespace

Index rows_of_fit(const SavedFit& fit, const Dataset& table) {
  std::unordered_set<std::uint64_t> known;
  for (Index i = 0; i < fit.data.y.size(); ++i) known.insert(hash_of_row(fit.data, i));
  const Dataset scaled_table = scaled(table, fit.scaling);
  Index count = 0;
  for (Index i = 0; i < table.y.size(); ++i) {
    count += known.contains(hash_of_row(scaled_table, i)) ? 1 : 0;
  }
  return count;
}

}  // namespace ulisse
