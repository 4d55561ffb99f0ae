#include "report/prediction_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>

#include "data/cell.h"
#include "data/date.h"
#include "data/header.h"
#include "data/record_reader.h"
#include "data/text.h"
#include "predict/prediction_csv.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

using csv::shown;

// "q97.5" is the quantile 0.975; 0 for any other name.
double level_of(const std::string& name) {
  if (name.size() < 2 || name[0] != 'q') return 0;
  char* end = nullptr;
  const double percent = std::strtod(name.c_str() + 1, &end);
  return *end == '\0' && percent > 0 && percent < 100 ? percent / 100 : 0;
}

// Some columns of a file, whose rows are read once: it may be a pipe.
class ColumnReader {
 public:
  explicit ColumnReader(const std::string& path) : records_(path, ','), header_(first_row()) {}

  const csv::Header& header() const { return header_; }

  // Before read(): the numbers of this column will be asked for.
  void want(std::size_t column) { values_[column]; }
  // The same where all of them are numbers, or dates.
  void want_if_numbers(std::size_t column) {
    want(column);
    may_be_text_ = column;
  }
  void want(const std::string& name) {
    if (header_.has(name)) want(header_.column(name));
  }

  void read() {
    csv::Record record;
    for (; records_.next(record); ++rows_) {
      check_width(record);
      if (may_be_text_ && is_text(record[*may_be_text_])) {
        values_.erase(*may_be_text_);
        may_be_text_.reset();
      }
      for (auto& [column, values] : values_) values.push_back(number(record[column]));
      if (header_.has("fit")) check_fit(record[header_.column("fit")]);
    }
    if (rows_ > 0) return;
    throw InputError(fmt::format("{}: there are no rows below the header", records_.path()));
  }

  bool has_numbers(std::size_t column) const { return values_.contains(column); }

  Vector column(std::size_t column) const {
    const std::vector<double>& values = values_.at(column);
    return Eigen::Map<const Vector>(values.data(), rows_);
  }
  Vector column(const std::string& name) const {  // empty where there is no such column
    return header_.has(name) ? column(header_.column(name)) : Vector();
  }

  const std::string& fit() const { return fit_; }
  bool has_dates() const { return has_dates_; }

 private:
  csv::Header first_row() {
    csv::Record record;
    if (records_.next(record)) return {records_.path(), record, ','};
    throw InputError(fmt::format("{}: the file is empty", records_.path()));
  }

  [[noreturn]] void fail(const csv::Field& field, const std::string& what) const {
    throw InputError(fmt::format("{}:{}: {}", records_.path(), field.line, what));
  }

  void check_width(const csv::Record& record) const {
    if (record.size() == header_.size()) return;
    fail(record.front(), fmt::format("the row has {} field{} and the header {}", record.size(),
                                     record.size() == 1 ? "" : "s", header_.size()));
  }

  static bool is_text(const csv::Field& field) {
    return csv::parse_cell(field.text).kind == csv::CellKind::not_a_number &&
           !csv::parse_date(field.text);
  }

  // A date is its days since 1970.
  double number(const csv::Field& field) {
    const csv::Cell cell = csv::parse_cell(field.text);
    if (cell.kind == csv::CellKind::number) return cell.value;
    if (const auto days = csv::parse_date(field.text)) {
      has_dates_ = true;
      return *days;
    }
    fail(field, fmt::format("{} is not a number", shown(field.text)));
  }

  void check_fit(const csv::Field& field) {
    if (rows_ == 0) fit_ = field.text;
    if (field.text == fit_ && !fit_.empty()) return;
    fail(field, fmt::format("the row is of the fit {}, and the first row of {}", shown(field.text),
                            shown(fit_)));
  }

  csv::RecordReader records_;
  csv::Header header_;
  std::map<std::size_t, std::vector<double>> values_;
  std::optional<std::size_t> may_be_text_;
  Index rows_ = 0;
  bool has_dates_ = false;
  std::string fit_;
};

// Where quantiles and inputs stand.
struct Places {
  explicit Places(const csv::Header& header) {
    for (std::size_t j = 0; j < header.size(); ++j) {
      const double level = level_of(header.name(j));
      if (level > 0) quantiles.emplace_back(level, j);
      if (header.name(j).starts_with(input_column(""))) inputs.push_back(j);
    }
    std::sort(quantiles.begin(), quantiles.end());
  }

  std::vector<std::pair<double, std::size_t>> quantiles;  // levels and columns
  std::vector<std::size_t> inputs;
};

void check_header(const csv::Header& header) {
  for (const char* name : {"mean", "sd"}) {
    if (header.has(name)) continue;
    throw InputError(fmt::format("{}: there is no column '{}': not what ulisse predict writes",
                                 header.place(), name));
  }
}

void add_quantiles(const ColumnReader& reader, const Places& places, PredictionTable& table) {
  table.quantiles.resize(table.points(), static_cast<Index>(places.quantiles.size()));
  for (const auto& [level, column] : places.quantiles) {
    table.quantiles.col(static_cast<Index>(table.levels.size())) = reader.column(column);
    table.levels.push_back(level);
  }
}

}  // namespace

PredictionTable read_predictions(const std::string& path) {
  ColumnReader reader(path);
  check_header(reader.header());
  const Places places(reader.header());
  for (const char* name : {"row", "mean", "sd", "observed", "below"}) reader.want(name);
  for (const auto& [level, column] : places.quantiles) reader.want(column);
  const bool one_input = places.inputs.size() == 1;
  if (one_input) reader.want_if_numbers(places.inputs[0]);
  reader.read();
  PredictionTable table{.path = path,
                        .fit = reader.fit(),
                        .row = reader.column("row"),
                        .mean = reader.column("mean"),
                        .sd = reader.column("sd"),
                        .observed = reader.column("observed"),
                        .below = reader.column("below")};
  if (one_input && reader.has_numbers(places.inputs[0])) {
    table.input_name = reader.header().name(places.inputs[0]).substr(input_column("").size());
    table.input = reader.column(places.inputs[0]);
    table.input_has_dates = reader.has_dates();
  }
  // Older files have none, and the same order.
  if (table.row.size() == 0) {
    table.row = Vector::LinSpaced(table.points(), 1, static_cast<double>(table.points()));
  }
  add_quantiles(reader, places, table);
  return table;
}

}  // namespace ulisse
