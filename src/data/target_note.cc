#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "ulisse/dataset.h"

namespace ulisse {
namespace {

// Fewer rows may share values by chance.
constexpr Index kMinRows = 10;
constexpr Index kFewValues = 12;
constexpr double kManyRows = 0.2;      // that share one value
constexpr double kLargestCount = 100;  // whose Poisson noise is hardly Gaussian in small ones

struct Ties {
  Index values = 0;  // different ones
  double value = 0;  // the most frequent one
  Index rows = 0;    // that have it
};

Ties ties_in(const Vector& y) {
  std::vector<double> sorted(y.begin(), y.end());
  std::sort(sorted.begin(), sorted.end());
  Ties ties;
  for (auto first = sorted.begin(); first != sorted.end();) {
    const auto next = std::upper_bound(first, sorted.end(), *first);
    ++ties.values;
    if (next - first > ties.rows) ties = {ties.values, *first, next - first};
    first = next;
  }
  return ties;
}

bool are_counts(const Vector& y) {
  return y.minCoeff() >= 0 && y.maxCoeff() <= kLargestCount &&
         (y.array() == y.array().floor()).all();
}

std::string note_of(const Vector& y, const Ties& ties) {
  const double least = y.minCoeff(), most = y.maxCoeff();
  if (ties.values == 2) {
    return fmt::format(
        "the target is {0:.6g} or {1:.6g} in every row, and the model takes it for a number with "
        "Gaussian noise: predictions are not probabilities, and intervals may reach beyond "
        "{0:.6g} and {1:.6g}",
        least, most);
  }
  if (are_counts(y)) {
    return fmt::format(
        "the target has whole numbers from {:.6g} to {:.6g} alone, as counts do, and the model "
        "takes them for numbers with Gaussian noise of one size: predictions lie between whole "
        "numbers, intervals may reach below 0, and are too wide where counts are small",
        least, most);
  }
  if (static_cast<double>(ties.rows) >= kManyRows * static_cast<double>(y.size())) {
    return fmt::format(
        "{} rows of {} have the target {:.6g}, and the model takes it for a number with Gaussian "
        "noise: it predicts no value that so many rows share, and intervals reach beyond it",
        ties.rows, y.size(), ties.value);
  }
  if (ties.values <= kFewValues) {
    return fmt::format(
        "the target has {} different values only, and the model takes them for numbers with "
        "Gaussian noise: predictions lie between them, and intervals reach beyond {:.6g} and "
        "{:.6g}",
        ties.values, least, most);
  }
  return "";
}

}  // namespace

void note_target(Dataset& data) {
  if (data.y.size() < kMinRows || !data.y.allFinite()) return;
  const Ties ties = ties_in(data.y);
  if (ties.values < 2 || (ties.values == data.y.size() && !are_counts(data.y))) return;
  const std::string note = note_of(data.y, ties);
  if (!note.empty()) data.notes.push_back(note);
}

}  // namespace ulisse
