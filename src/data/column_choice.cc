#include "data/column_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/option_names.h"
#include "data/text.h"
#include "ulisse/error.h"

namespace ulisse::csv {
namespace {

using Columns = std::vector<std::size_t>;

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

bool is_in(const Columns& columns, std::size_t column) {
  return std::find(columns.begin(), columns.end(), column) != columns.end();
}

// Those of a header without the target are all of them.
Columns all_but(std::size_t target, const Columns& excluded, const Header& header) {
  Columns columns;
  for (std::size_t k = 0; k < header.size(); ++k) {
    if (k != target && !is_in(excluded, k)) columns.push_back(k);
  }
  if (columns.empty() && excluded.empty()) {
    throw InputError(fmt::format("{}: the target {} is the only column, there are no features",
                                 header.place(), shown(header.name(target))));
  }
  if (columns.empty()) {
    throw InputError(fmt::format("{}: all features are left out by {}", header.place(),
                                 option_named("exclude")));
  }
  return columns;
}

void check_excluded(const Columns& excluded, const Columns& features, std::size_t target,
                    const CsvOptions& options, const Header& header) {
  for (const std::size_t column : excluded) {
    const bool is_target = column == target;
    if (!is_target && !is_in(features, column) && header.name(column) != options.noise) continue;
    throw InputError(fmt::format("{}: {} is {}, and cannot be left out by {}", header.place(),
                                 shown(header.name(column)), is_target ? "the target" : "asked for",
                                 option_named("exclude")));
  }
}

// Of known noise there is a column, too, which is no feature by name.
void add_noise(const CsvOptions& options, std::size_t target, const Header& header,
               Columns& columns) {
  if (options.noise.empty()) return;
  const std::size_t noise = header.column(options.noise);
  if (noise == target) {
    throw InputError(
        fmt::format("{}: {} is the target and cannot say what is known of the noise, too",
                    header.place(), shown(options.noise)));
  }
  const bool is_feature = is_in(columns, noise);
  if (is_feature && !options.features.empty()) {
    throw InputError(
        fmt::format("{}: {} says what is known of the noise and cannot be a feature "
                    "too",
                    header.place(), shown(options.noise)));
  }
  if (!is_feature) columns.push_back(noise);
  if (columns.size() > 1) return;
  throw InputError(
      fmt::format("{}: {} says what is known of the noise, and there are no features "
                  "beside it",
                  header.place(), shown(options.noise)));
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
  const bool has_target = !options.target_optional || header.has(options.target);
  const std::size_t target = has_target ? header.column(options.target) : header.size();
  const Columns excluded = named(options.exclude, header);
  Columns columns = options.features.empty() ? all_but(target, excluded, header)
                                             : named(options.features, header);
  check_excluded(excluded, options.features.empty() ? Columns() : columns, target, options, header);
  check_no_column_twice(columns, target, header);
  add_noise(options, target, header, columns);
  columns.push_back(has_target ? target : columns.front());
  for (const std::size_t column : columns) header.check_usable(column);
  return columns;
}

Columns columns_named(const std::vector<std::string>& names, const Header& header) {
  return named(names, header);
}

}  // namespace ulisse::csv
