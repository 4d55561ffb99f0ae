#include "data/column_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "data/text.h"
#include "ulisse/error.h"

namespace ulisse::csv {
namespace {

using Columns = std::vector<std::size_t>;

// Those of a header without the target are all of them.
Columns all_but(std::size_t target, const Header& header) {
  Columns columns;
  for (std::size_t k = 0; k < header.size(); ++k) {
    if (k != target) columns.push_back(k);
  }
  if (columns.empty()) {
    throw InputError(fmt::format("{}: the target {} is the only column, there are no features",
                                 header.place(), shown(header.name(target))));
  }
  return columns;
}

std::vector<std::string> split_at_commas(std::string_view list) {
  std::vector<std::string> names;
  for (std::size_t comma = 0; comma != std::string_view::npos;) {
    comma = list.find(',');
    names.emplace_back(list.substr(0, comma));
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
  }
  return names;
}

Columns named(const std::vector<std::string>& features, const Header& header) {
  Columns columns;
  for (const std::string& feature : features) {
    if (trimmed(feature).empty())
      throw InputError(fmt::format("{}: the name of a feature is empty", header.place()));
    const auto names = header.has(feature) ? std::vector{feature} : split_at_commas(feature);
    for (const std::string& name : names) columns.push_back(header.column(name));
  }
  return columns;
}

void check_no_column_twice(const Columns& features, std::size_t target, const Header& header) {
  std::vector<bool> taken(header.size(), false);
  for (const std::size_t column : features) {
    if (column == target) {
      throw InputError(fmt::format("{}: {} is the target and cannot be a feature too",
                                   header.place(), shown(header.name(column))));
    }
    if (taken[column]) {
      throw InputError(fmt::format("{}: the feature {} is listed twice", header.place(),
                                   shown(header.name(column))));
    }
    taken[column] = true;
  }
}

}  // namespace

Columns choose_columns(const Header& header, const CsvOptions& options) {
  if (trimmed(options.target).empty()) {
    throw InputError(fmt::format("{}: the name of the target column is empty", header.place()));
  }
  if (options.target_optional && !header.has(options.target)) {
    const std::size_t none = header.size();
    Columns columns =
        options.features.empty() ? all_but(none, header) : named(options.features, header);
    check_no_column_twice(columns, none, header);
    columns.push_back(columns.front());
    for (const std::size_t column : columns) header.check_usable(column);
    return columns;
  }
  const std::size_t target = header.column(options.target);
  Columns columns =
      options.features.empty() ? all_but(target, header) : named(options.features, header);
  check_no_column_twice(columns, target, header);
  columns.push_back(target);
  for (const std::size_t column : columns) header.check_usable(column);
  return columns;
}

}  // namespace ulisse::csv
