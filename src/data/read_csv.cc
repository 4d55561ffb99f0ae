#include <fmt/format.h>

#include <utility>

#include "base/limits.h"
#include "base/memory.h"
#include "base/option_names.h"
#include "data/cell.h"
#include "data/column_choice.h"
#include "data/header.h"
#include "data/record_reader.h"
#include "data/row_store.h"
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

// Turns the rows of a file into numbers. A missing cell is an error only at the end of the file,
// when the rows that have one are counted; any other error ends the reading.
class TableReader {
 public:
  TableReader(const std::string& path, const Header& header, std::vector<std::size_t> columns,
              bool target_optional, std::size_t most_bytes)
      : path_(path),
        header_(header),
        columns_(std::move(columns)),
        target_optional_(target_optional),
        most_bytes_(most_bytes > 0 ? most_bytes : available_memory_bytes() / limits::table_copies),
        values_(columns_.size()),
        store_(static_cast<Index>(columns_.size())) {}

  void add(const Record& record);
  Dataset finish();

 private:
  void check_width(const Record& record) const;
  void check_size(const Record& record) const;
  bool read_values(const Record& record);
  // Where there is no target, the first feature stands in its place.
  bool is_target(std::size_t column) const {
    return column == columns_.back() && column != columns_.front();
  }
  [[noreturn]] void fail_cell(const Cell& cell, const Field& field, std::size_t column) const;
  void note_missing(const Field& field, std::size_t column);
  void check_complete() const;
  std::string place(const Field& field, std::size_t column) const;

  const std::string& path_;
  const Header& header_;
  const std::vector<std::size_t> columns_;
  const bool target_optional_;
  const std::size_t most_bytes_;
  std::vector<double> values_;  // of one row
  RowStore store_;
  Index rows_ = 0;
  Index rows_with_missing_ = 0, rows_without_target_ = 0;
  std::string first_missing_;  // message
};

void TableReader::add(const Record& record) {
  check_width(record);
  ++rows_;
  if (read_values(record)) {
    store_.append(values_);
    check_size(record);
  } else {
    ++rows_with_missing_;
  }
}

void TableReader::check_width(const Record& record) const {
  if (record.size() == header_.size()) return;
  const bool is_short = record.size() < header_.size();
  const std::string where =
      is_short ? fmt::format("there is none for column {}", shown(header_.name(record.size())))
               : fmt::format("the first too many is {}", shown(record[header_.size()].text));
  // 1,5 is two fields.
  const bool doubled = record.size() == 2 * header_.size();
  throw InputError(fmt::format("{}:{}: the row has {} field{} and the header {}; {}{}", path_,
                               record.front().line, record.size(), record.size() == 1 ? "" : "s",
                               header_.size(), where,
                               doubled ? " (numbers need a decimal point, not a comma)" : ""));
}

void TableReader::check_size(const Record& record) const {
  if (store_.rows() > limits::rows) {
    throw InputError(fmt::format("{}:{}: the table has more than {} rows, too many for any fit",
                                 path_, record.front().line, limits::rows));
  }
  if (store_.bytes() <= most_bytes_) return;
  throw InputError(fmt::format(
      "{}:{}: the table takes more than {} of memory with the {} rows up to here, and a fit keeps "
      "up to {} copies of it; use fewer rows or columns",
      path_, record.front().line, readable_bytes(most_bytes_), store_.rows(),
      limits::table_copies));
}

// False when a cell is missing, other than that of an optional target.
bool TableReader::read_values(const Record& record) {
  bool complete = true;
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const Field& field = record[columns_[k]];
    const Cell cell = parse_cell(field.text);
    values_[k] = cell.value;
    if (cell.kind == CellKind::number) continue;
    if (cell.kind != CellKind::missing) fail_cell(cell, field, columns_[k]);
    note_missing(field, columns_[k]);
    if (target_optional_ && k + 1 == columns_.size()) {
      ++rows_without_target_;
    } else {
      complete = false;
    }
  }
  return complete;
}

void TableReader::fail_cell(const Cell& cell, const Field& field, std::size_t column) const {
  const std::string what = fmt::format("{}: {} is not", place(field, column), shown(field.text));
  if (cell.kind == CellKind::not_finite) throw InputError(what + " finite");
  if (has_decimal_comma(field.text)) {
    throw InputError(what + " a number; numbers need a decimal point");
  }
  throw InputError(
      what + (is_target(column)
                  ? std::string(" a number, and the target must be one; code the column as numbers")
                  : " a number; code the column as numbers, or leave it out with " +
                        option_named("features")));
}

void TableReader::note_missing(const Field& field, std::size_t column) {
  if (!first_missing_.empty()) return;
  first_missing_ =
      fmt::format("{}: the cell is {}", place(field, column),
                  field.text.empty() ? "empty" : fmt::format("missing ({})", shown(field.text)));
}

std::string TableReader::place(const Field& field, std::size_t column) const {
  return fmt::format("{}:{}: column {}", path_, field.line, shown(header_.name(column)));
}

void TableReader::check_complete() const {
  if (rows_ == 0) throw InputError(fmt::format("{}: there are no rows below the header", path_));
  if (rows_with_missing_ == 0 && rows_without_target_ > 0 && rows_without_target_ < rows_) {
    throw InputError(fmt::format(
        "{}, as in {} row{} of {}; the target may be there in all rows or "
        "in none",
        first_missing_, rows_without_target_, rows_without_target_ == 1 ? "" : "s", rows_));
  }
  if (rows_with_missing_ == 0) return;
  throw InputError(fmt::format("{}; {} row{} of {} {} missing cells", first_missing_,
                               rows_with_missing_, rows_with_missing_ == 1 ? "" : "s", rows_,
                               rows_with_missing_ == 1 ? "has" : "have"));
}

Dataset TableReader::finish() {
  check_complete();
  Dataset data;
  store_.move_to(data.x, data.y);
  for (const std::size_t column : columns_) data.features.push_back(header_.name(column));
  data.target = std::move(data.features.back());
  data.features.pop_back();
  data.source = path_;
  if (rows_without_target_ > 0) {
    data.y.resize(0);
    data.target.clear();
  }
  return data;
}

}  // namespace
}  // namespace csv

Dataset read_csv(const std::string& path, const CsvOptions& options) {
  csv::check_separator(options.separator);
  csv::RecordReader records(path, options.separator);
  const std::string& name = records.path();
  csv::Record record;
  if (!records.next(record)) throw InputError(fmt::format("{}: the file is empty", name));
  const csv::Header header = options.header ? csv::Header(name, record, options.separator)
                                            : csv::Header::numbered(name, record);
  csv::TableReader table(name, header, csv::choose_columns(header, options),
                         options.target_optional && header.has(options.target), options.most_bytes);
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
  return data;
}

}  // namespace ulisse
