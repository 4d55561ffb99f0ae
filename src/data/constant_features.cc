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

std::string note(const Dataset& data, const Columns& constant) {
  if (constant.size() > 1) {
    return fmt::format("{}{} columns are constant, and were left out: {}", prefix(data),
                       constant.size(), names_of(data, constant));
  }
  return fmt::format("{}column {} is constant ({:.6g}), and was left out", prefix(data),
                     names_of(data, constant), data.x(0, constant.front()));
}

[[noreturn]] void fail_all_constant(const Dataset& data, const Columns& constant) {
  if (constant.size() > 1) {
    throw InputError(
        fmt::format("{}all of the inputs are constant, and there is nothing to learn: "
                    "{}",
                    prefix(data), names_of(data, constant)));
  }
  throw InputError(fmt::format("{}column {} is constant ({:.6g}), and there is no other input",
                               prefix(data), names_of(data, constant),
                               data.x(0, constant.front())));
}

void keep(const Columns& kept, Dataset& data) {
  std::vector<std::string> names;
  for (const Index j : kept) names.push_back(data.features[static_cast<std::size_t>(j)]);
  data.all_features = std::move(data.features);
  data.features = std::move(names);
  data.x = Matrix(data.x(Eigen::all, kept));
}

}  // namespace

void leave_out_constant_features(Dataset& data) {
  if (data.x.rows() < 2) return;  // where every column is
  Columns kept, constant;
  for (Index j = 0; j < data.x.cols(); ++j) {
    (is_constant(data.x.col(j)) ? constant : kept).push_back(j);
  }
  if (constant.empty()) return;
  if (kept.empty()) fail_all_constant(data, constant);
  data.notes.push_back(note(data, constant));
  keep(kept, data);
}

}  // namespace ulisse
