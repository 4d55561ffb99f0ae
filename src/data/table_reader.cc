#include "data/table_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "base/limits.h"
#include "base/memory.h"
#include "base/option_names.h"
#include "data/cell.h"
#include "data/text.h"
#include "ulisse/error.h"

namespace ulisse::csv {

namespace {

using Outcome = ColumnReader::Outcome;

std::string first_of(const std::vector<std::string>& levels) {
  constexpr std::size_t most = 8;
  std::vector<std::string> names;
  for (const std::string& level : levels) {
    if (names.size() == most) break;
    names.push_back(shown(level));
  }
  return fmt::format("{}{}", fmt::join(names, ", "), levels.size() > most ? ", ..." : "");
}

std::string failure(Outcome outcome) {
  switch (outcome) {
    case Outcome::not_finite:
      return "is not finite";
    case Outcome::not_a_date:
      return "is not a date like 1958-03-29, as others of the column are";
    case Outcome::not_a_level:
      return "is a level that the fit has not seen";
    case Outcome::not_utf8:
      return "is not UTF-8; save the file as UTF-8";
    default:
      return "is not a number";
  }
}

}  // namespace

TableReader::TableReader(const std::string& path, const Header& header,
                         std::vector<std::size_t> columns, std::vector<ColumnReader> readers,
                         std::optional<std::size_t> noise, bool target_optional,
                         const CsvOptions& options)
    : path_(path),
      header_(header),
      columns_(std::move(columns)),
      readers_(std::move(readers)),
      noise_(noise),
      target_optional_(target_optional),
      options_(options),
      most_bytes_(options.most_bytes > 0 ? options.most_bytes
                                         : available_memory_bytes() / limits::table_copies),
      values_(columns_.size()),
      first_text_(columns_.size()),
      store_(static_cast<Index>(columns_.size())) {}

void TableReader::add(const Record& record) {
  check_width(record);
  ++rows_;
  if (has_missing(record)) {
    ++rows_with_missing_;
    return;
  }
  read_values(record);
  store_.append(values_);
  if (options_.drop_missing) rows_read_.push_back(rows_);
  check_size(record);
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

// True when a cell is missing, other than that of an optional target.
bool TableReader::has_missing(const Record& record) {
  bool found = false;
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const Field& field = record[columns_[k]];
    if (!readers_[k].is_missing(field.text)) continue;
    if (may_lack_noise(k)) continue;
    note_missing(field, k);
    if (!may_lack_target(k)) found = true;
  }
  return found;
}

void TableReader::read_values(const Record& record) {
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const Field& field = record[columns_[k]];
    if ((may_lack_target(k) || may_lack_noise(k)) && readers_[k].is_missing(field.text)) {
      ++(may_lack_noise(k) ? rows_without_noise_ : rows_without_target_);
      values_[k] = 0;
      continue;
    }
    const Outcome outcome = readers_[k].read(field.text, values_[k]);
    if (outcome != Outcome::value) fail_cell(outcome, field, k);
    if (k == noise_ && values_[k] < 0) {
      throw InputError(fmt::format("{}: {} is negative, and what is known of the noise cannot be",
                                   place(field, k), shown(field.text)));
    }
    if (readers_[k].kind() == ColumnKind::category && first_text_[k].place.empty() &&
        parse_cell(field.text).kind != CellKind::number) {
      first_text_[k] = {place(field, k), std::string(field.text)};
    }
  }
}

std::string TableReader::remedy(Outcome outcome, std::size_t k) const {
  if (outcome == Outcome::not_a_level) {
    return fmt::format("; it knows {}; {} predicts it as one like no other",
                       first_of(readers_[k].levels()), option_named("new_levels"));
  }
  if (outcome != Outcome::not_a_number) return "";
  if (target_optional_) return "; mend the cell";  // columns are those of a fit
  if (is_target(k)) {
    return fmt::format(
        ", and the target must be one; code two classes as 0 and 1, ordered ones as 1, 2, 3, ..., "
        "or name another column as {}",
        option_named("target"));
  }
  if (k == noise_) return ", and what is known of the noise must be one";
  return fmt::format(
      "; mend the cell, or leave the column out with {}, or take it for a category "
      "with {}",
      option_named("exclude"), option_named("categories"));
}

void TableReader::fail_cell(Outcome outcome, const Field& field, std::size_t k) const {
  const std::string what =
      fmt::format("{}: {} {}", place(field, k), shown(field.text), failure(outcome));
  if (outcome == Outcome::not_a_number && has_decimal_comma(field.text)) {
    throw InputError(what + "; numbers need a decimal point");
  }
  throw InputError(what + remedy(outcome, k));
}

void TableReader::note_missing(const Field& field, std::size_t k) {
  if (!first_missing_.empty()) return;
  first_missing_ = fmt::format(
      "{}: the cell is {}{}", place(field, k),
      field.text.empty() ? "empty" : fmt::format("missing ({})", shown(field.text)),
      k == noise_ ? ", where 0 would say that nothing is known of the row's own noise" : "");
}

std::string TableReader::place(const Field& field, std::size_t k) const {
  return fmt::format("{}:{}: column {}", path_, field.line, shown(name(k)));
}

void TableReader::check_complete() const {
  if (rows_ == 0) throw InputError(fmt::format("{}: there are no rows below the header", path_));
  const bool dropped = options_.drop_missing;
  const Index left = rows_ - rows_with_missing_;
  if ((rows_with_missing_ == 0 || dropped) && rows_without_target_ > 0 &&
      rows_without_target_ < left) {
    throw InputError(fmt::format(
        "{}, as in {} row{} of {}; the target may be there in all rows or "
        "in none",
        first_missing_, rows_without_target_, rows_without_target_ == 1 ? "" : "s", left));
  }
  if (rows_with_missing_ == 0 || (dropped && left > 0)) return;
  throw InputError(fmt::format(
      "{}; {} row{} of {} {} missing cells{}", first_missing_, rows_with_missing_,
      rows_with_missing_ == 1 ? "" : "s", rows_, rows_with_missing_ == 1 ? "has" : "have",
      dropped ? ", and no row is left"
              : fmt::format("; {} leaves {} out", option_named("drop_missing"),
                            rows_with_missing_ == 1 ? "it" : "them")));
}

// A column that its first cell made a category, though nobody said that it is one.
void TableReader::check_category(std::size_t k) const {
  const ColumnReader& reader = readers_[k];
  const auto levels = static_cast<Index>(reader.levels().size());
  if (2 * reader.numbers() > store_.rows()) {
    throw InputError(fmt::format("{}: {} is not a number, as most cells of the column are{}",
                                 first_text_[k].place, shown(first_text_[k].text),
                                 remedy(Outcome::not_a_number, k)));
  }
  constexpr Index few = 10;
  if (levels <= few || 2 * levels <= store_.rows()) return;
  throw InputError(fmt::format(
      "{}: column {} has {} different texts in {} rows, which make no category; leave it out with "
      "{}, or take it for one all the same with {}",
      path_, shown(name(k)), levels, store_.rows(), option_set("exclude", name(k)),
      option_set("categories", name(k))));
}

void TableReader::take_levels(Dataset& data) const {
  const auto inputs = columns_.size() - 1;
  for (std::size_t k = 0; k < inputs; ++k) {
    const ColumnReader& reader = readers_[k];
    if (reader.kind() != ColumnKind::category) continue;
    if (reader.is_guess()) check_category(k);
    data.levels.resize(inputs);
    data.levels[k] = reader.levels();
    if (reader.is_known()) continue;
    data.notes.push_back(fmt::format(
        "{}: column {} is a category of {} level{}: {}", path_, shown(name(k)),
        reader.levels().size(), reader.levels().size() == 1 ? "" : "s", first_of(reader.levels())));
  }
}

void TableReader::count_days(Dataset& data) {
  const auto inputs = columns_.size() - 1;
  for (std::size_t k = 0; k < inputs; ++k) {
    if (readers_[k].are_dates()) readers_[k].take_dates(data.x.col(static_cast<Index>(k)));
    if (readers_[k].kind() != ColumnKind::date) continue;
    data.first_days.resize(inputs);
    data.first_days[k] = readers_[k].count_from_first_day(data.x.col(static_cast<Index>(k)));
    if (readers_[k].is_known()) continue;
    data.notes.push_back(fmt::format("{}: column {} has dates, which became days since {}", path_,
                                     shown(name(k)), data.first_days[k]));
  }
}

Dataset TableReader::finish() {
  check_complete();
  Dataset data{.source = path_};
  take_levels(data);
  store_.move_to(data.x, data.y);
  count_days(data);
  if (rows_with_missing_ > 0) {
    data.rows = std::move(rows_read_);
    data.notes.push_back(fmt::format("{}: {} row{} of {} had missing cells, and {} left out", path_,
                                     rows_with_missing_, rows_with_missing_ == 1 ? "" : "s", rows_,
                                     rows_with_missing_ == 1 ? "was" : "were"));
  }
  if (rows_without_noise_ > 0) {
    data.notes.push_back(fmt::format(
        "{}: column {} is empty in {} row{}, whose predictions have lambda's noise "
        "alone",
        path_, shown(name(*noise_)), rows_without_noise_, rows_without_noise_ == 1 ? "" : "s"));
  }
  for (const std::size_t column : columns_) data.features.push_back(header_.name(column));
  data.target = std::move(data.features.back());
  data.features.pop_back();
  if (noise_) {
    data.known_noise = {static_cast<Index>(*noise_), options_.noise_is_variance};
  }
  if (rows_without_target_ > 0) {
    data.y.resize(0);
    data.target.clear();
  }
  return data;
}

}  // namespace ulisse::csv
