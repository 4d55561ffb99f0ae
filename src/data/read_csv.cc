#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/option_names.h"
#include "data/column_choice.h"
#include "data/header.h"
#include "data/record_reader.h"
#include "data/table_reader.h"
#include "data/text.h"
#include "ulisse/dataset.h"
#include "ulisse/error.h"

namespace ulisse {
namespace csv {
namespace {

// What can be part of a number or of a quoted cell cannot separate.
void check_separator(char c) {
  constexpr std::string_view marks = ",;:|/&!~^@%$=\t";
  if (marks.find(c) != std::string_view::npos) return;
  throw InputError(fmt::format("{} cannot separate the cells of a table; use one of , ; : | or tab",
                               shown(std::string_view(&c, 1))));
}

const std::string* noise_of(const Dataset& like) {
  if (!like.known_noise) return nullptr;
  return &like.features[static_cast<std::size_t>(like.known_noise->column)];
}

// Whether a column of known noise is not there, and need not be.
bool lacks_noise(const CsvOptions& options, const Header& header) {
  if (options.like == nullptr || !options.target_optional) return false;
  const std::string* noise = noise_of(*options.like);
  return noise != nullptr && !header.has(*noise);
}

// The columns of another table, if there is one, in place of choices of its own.
CsvOptions with_columns(const CsvOptions& options, const Header& header) {
  CsvOptions own = options;
  if (options.like == nullptr) return own;
  own.features = options.like->features;
  own.exclude.clear();
  own.categories.clear();
  own.noise.clear();
  if (lacks_noise(options, header)) std::erase(own.features, *noise_of(*options.like));
  own.noise_is_variance = options.like->known_noise && options.like->known_noise->is_variance;
  return own;
}

// As the column of this name of another table.
ColumnReader reader_like(const Dataset& like, const std::string& name, const CsvOptions& options) {
  const auto k = static_cast<std::size_t>(
      std::find(like.features.begin(), like.features.end(), name) - like.features.begin());
  if (k < like.levels.size() && !like.levels[k].empty())
    return {like.levels[k], options.new_levels};
  if (k < like.first_days.size() && !like.first_days[k].empty()) {
    return {like.first_days[k], !options.target_optional};
  }
  return ColumnReader(ColumnKind::number);
}

// Which of the columns says what is known of the noise.
std::optional<std::size_t> noise_among(const std::vector<std::size_t>& columns,
                                       const CsvOptions& options, const Header& header) {
  const std::string* name = options.like != nullptr ? noise_of(*options.like) : &options.noise;
  if (name == nullptr || name->empty() || !header.has(*name)) return std::nullopt;
  const auto at = std::find(columns.begin(), columns.end(), header.column(*name));
  return static_cast<std::size_t>(at - columns.begin());
}

bool is_in(const std::vector<std::size_t>& columns, std::size_t column) {
  return std::find(columns.begin(), columns.end(), column) != columns.end();
}

std::vector<ColumnReader> readers_for(const std::vector<std::size_t>& columns,
                                      std::optional<std::size_t> noise, const CsvOptions& options,
                                      const Header& header) {
  const auto categories = columns_named(options.categories, header);
  for (const std::size_t column : categories) {
    const auto inputs = columns.end() - 1;
    const auto at = std::find(columns.begin(), inputs, column);
    if (at != inputs && static_cast<std::size_t>(at - columns.begin()) != noise) continue;
    throw InputError(fmt::format("{}: {} names {}, which is no input", header.place(),
                                 option_named("categories"), shown(header.name(column))));
  }
  std::vector<ColumnReader> readers;
  // The first feature stands where there is no target.
  const bool has_target = columns.back() != columns.front();
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const bool numbers = (has_target && k + 1 == columns.size()) || k == noise;
    if (numbers) {
      readers.emplace_back(ColumnKind::number);
    } else if (options.like != nullptr) {
      readers.push_back(reader_like(*options.like, header.name(columns[k]), options));
    } else {
      readers.emplace_back(is_in(categories, columns[k]) ? ColumnKind::category
                                                         : ColumnKind::unknown);
    }
  }
  return readers;
}

// What is not known of the noise is 0.
void add_no_noise(const Dataset& like, Dataset& data) {
  const Index at = like.known_noise->column, after = data.x.cols() - at;
  Matrix x(data.x.rows(), data.x.cols() + 1);
  x << data.x.leftCols(at), Vector::Zero(data.x.rows()), data.x.rightCols(after);
  data.x = std::move(x);
  data.features = like.features;
  if (!data.levels.empty()) data.levels.insert(data.levels.begin() + at, {{}});
  if (!data.first_days.empty()) data.first_days.insert(data.first_days.begin() + at, "");
  data.known_noise = like.known_noise;
  data.noise_column_missing = true;
  data.notes.push_back(
      fmt::format("{}: there is no column {}, so that predictions have lambda's noise alone",
                  data.source, shown(*noise_of(like))));
}

}  // namespace
}  // namespace csv

Dataset read_csv(const std::string& path, const CsvOptions& asked) {
  csv::check_separator(asked.separator);
  csv::RecordReader records(path, asked.separator);
  const std::string& name = records.path();
  csv::Record record;
  if (!records.next(record)) throw InputError(fmt::format("{}: the file is empty", name));
  const csv::Header header = asked.header ? csv::Header(name, record, asked.separator)
                                          : csv::Header::numbered(name, record);
  const CsvOptions options = csv::with_columns(asked, header);
  const auto columns = csv::choose_columns(header, options);
  const auto noise = csv::noise_among(columns, options, header);
  csv::TableReader table(name, header, columns, csv::readers_for(columns, noise, options, header),
                         noise, options.target_optional && header.has(options.target), options);
  if (!options.header) table.add(record);
  while (records.next(record)) table.add(record);
  Dataset data = table.finish();
  if (options.header && header.all_names_are_numbers()) {
    data.notes.push_back(
        fmt::format("{}: the line has numbers alone, and was taken for the names of the columns; "
                    "if it is data, "
                    "{} calls the columns 1, 2, ...",
                    header.place(), option_named("no_header")));
  }
  if (options.target_optional && !header.has(options.target)) {
    data.y.resize(0);
    data.target.clear();
  }
  if (csv::lacks_noise(asked, header)) csv::add_no_noise(*asked.like, data);
  return data;
}

}  // namespace ulisse
