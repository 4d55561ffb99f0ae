#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "data/column_moments.h"
#include "data/text.h"
#include "ulisse/dataset.h"
#include "ulisse/error.h"

namespace ulisse {
namespace {

using Columns = std::vector<Index>;

// A range that overflows is no constant; who standardises refuses it.
bool is_constant(const ConstVector& values) {
  const ColumnMoments moments = column_moments(values);
  return moments.least == moments.most || varies_by_rounding_only(moments);
}

std::string prefix(const Dataset& data) { return data.source.empty() ? "" : data.source + ": "; }

std::string names_of(const Dataset& data, const Columns& columns) {
  constexpr std::size_t most = 12;
  std::vector<std::string> names;
  for (const Index j : columns) {
    if (names.size() == most) break;
    names.push_back(csv::shown(data.features[static_cast<std::size_t>(j)]));
  }
  const std::size_t more = columns.size() - names.size();
  return fmt::format("{}{}", fmt::join(names, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

// Of the first row.
std::string value_of(const Dataset& data, Index column) {
  const auto k = static_cast<std::size_t>(column);
  const double value = data.x(0, column);
  if (data.levels.empty() || data.levels[k].empty()) return fmt::format("{:.6g}", value);
  return csv::shown(data.levels[k][static_cast<std::size_t>(value)]);
}

std::string note(const Dataset& data, const Columns& constant) {
  if (constant.size() > 1) {
    return fmt::format("{}{} columns are constant, and were left out: {}", prefix(data),
                       constant.size(), names_of(data, constant));
  }
  return fmt::format("{}column {} is constant ({}), and was left out", prefix(data),
                     names_of(data, constant), value_of(data, constant.front()));
}

[[noreturn]] void fail_all_constant(const Dataset& data, const Columns& constant) {
  if (constant.size() > 1) {
    throw InputError(
        fmt::format("{}all of the inputs are constant, and there is nothing to learn: "
                    "{}",
                    prefix(data), names_of(data, constant)));
  }
  throw InputError(fmt::format("{}column {} is constant ({}), and there is no other input",
                               prefix(data), names_of(data, constant),
                               value_of(data, constant.front())));
}

// No list at all stays none.
template <class T>
void keep(const Columns& kept, std::vector<T>& of_columns) {
  if (of_columns.empty()) return;
  std::vector<T> left;
  for (const Index j : kept) left.push_back(std::move(of_columns[static_cast<std::size_t>(j)]));
  of_columns = std::move(left);
}

void keep(const Columns& kept, Dataset& data) {
  std::vector<std::string> names;
  for (const Index j : kept) names.push_back(data.features[static_cast<std::size_t>(j)]);
  data.all_features = std::move(data.features);
  data.features = std::move(names);
  data.x = Matrix(data.x(Eigen::all, kept));
  keep(kept, data.levels);
  keep(kept, data.first_days);
  if (!data.known_noise) return;
  Index& noise = data.known_noise->column;
  noise = std::find(kept.begin(), kept.end(), noise) - kept.begin();
}

}  // namespace

void leave_out_constant_features(Dataset& data) {
  if (data.x.rows() < 2) return;  // where every column is
  Columns kept, constant;
  Index inputs = 0;
  for (Index j = 0; j < data.x.cols(); ++j) {
    const bool noise = data.known_noise && data.known_noise->column == j;
    const bool stays = noise || !is_constant(data.x.col(j));
    (stays ? kept : constant).push_back(j);
    inputs += stays && !noise ? 1 : 0;
  }
  if (constant.empty()) return;
  if (inputs == 0) fail_all_constant(data, constant);
  data.notes.push_back(note(data, constant));
  keep(kept, data);
}

}  // namespace ulisse
