#include "data/column_reader.h"

#include <fmt/format.h>

#include <cmath>

#include "base/lower_case.h"
#include "base/printable.h"
#include "data/cell.h"
#include "data/date.h"

namespace ulisse::csv {

std::string level_name(std::string_view text) {
  const Cell cell = parse_cell(text);
  return cell.kind == CellKind::number ? fmt::format("{}", cell.value) : std::string(text);
}

ColumnReader::ColumnReader(std::vector<std::string> levels, bool new_levels)
    : kind_(ColumnKind::category), known_(true), new_levels_(new_levels) {
  for (std::string& level : levels) {
    places_.emplace(level, static_cast<Index>(levels_.size()));
    levels_.push_back(std::move(level));
  }
}

ColumnReader::ColumnReader(const std::string& first_day, bool a_copy)
    : kind_(ColumnKind::date),
      known_(true),
      a_copy_(a_copy),
      origin_(parse_date(first_day).value_or(0)),
      first_day_(first_day) {}

// What fails as a number for a reason of its own is none, and no level either.
void ColumnReader::decide(std::string_view text) {
  const Cell cell = parse_cell(text);
  guess_ = true;
  if (cell.kind != CellKind::not_a_number || has_decimal_comma(text)) {
    kind_ = ColumnKind::number;
  } else {
    kind_ = parse_date(text) ? ColumnKind::date : ColumnKind::category;
  }
}

bool ColumnReader::is_missing(std::string_view text) const {
  // Most cells are numbers, which are parsed when they are read.
  if (!text.empty() && text.front() >= '0' && text.front() <= '9') return false;
  if (parse_cell(text).kind != CellKind::missing) return false;
  // Levels where the column is known to be a category, and not by its first cell, before which it
  // could be anything.
  if (kind_ != ColumnKind::category || guess_) return true;
  for (const char* level : {"none", "nil", "missing", "-", "--", ".", "*"}) {
    if (lower_case(text) == level) return false;
  }
  return true;
}

ColumnReader::Outcome ColumnReader::read(std::string_view text, double& value) {
  if (kind_ == ColumnKind::unknown) decide(text);
  switch (kind_) {
    case ColumnKind::category:
      return read_level(text, value);
    case ColumnKind::date:
      return read_date(text, value);
    default:
      if (eight_digits_) look_for_date(text);
      return read_number(text, value);
  }
}

// Of numbers with eight digits one in 27 is a day of some calendar year, so that columns of other
// numbers are not taken for dates by chance.
void ColumnReader::look_for_date(std::string_view text) {
  eight_digits_ = text.size() == 8 && parse_date(text).has_value();
}

void ColumnReader::take_dates(Eigen::Ref<Vector> cells) {
  for (double& cell : cells) cell = parse_date(fmt::format("{:08.0f}", cell)).value_or(0);
  kind_ = ColumnKind::date;
}

ColumnReader::Outcome ColumnReader::read_number(std::string_view text, double& value) const {
  const Cell cell = parse_cell(text);
  value = cell.value;
  if (cell.kind == CellKind::number) return Outcome::value;
  return cell.kind == CellKind::not_finite ? Outcome::not_finite : Outcome::not_a_number;
}

ColumnReader::Outcome ColumnReader::read_level(std::string_view text, double& value) {
  if (!is_utf8(text)) return Outcome::not_utf8;
  if (parse_cell(text).kind == CellKind::number) ++numbers_;
  const auto next = static_cast<Index>(levels_.size());
  const std::string name = level_name(text);
  if (known_ && !new_levels_ && !places_.contains(name)) return Outcome::not_a_level;
  const auto [at, is_new] = places_.emplace(name, next);
  if (is_new) levels_.push_back(name);
  value = static_cast<double>(at->second);
  return Outcome::value;
}

ColumnReader::Outcome ColumnReader::read_date(std::string_view text, double& value) const {
  if (const auto days = parse_date(text)) {
    value = *days - origin_;
    return Outcome::value;
  }
  if (a_copy_ && read_number(text, value) == Outcome::value) return Outcome::value;
  return Outcome::not_a_date;
}

std::string ColumnReader::count_from_first_day(Eigen::Ref<Vector> days) const {
  if (known_) return first_day_;
  if (days.size() == 0) return "";
  const double first = std::floor(days.minCoeff());
  days.array() -= first;
  return date_text(first);
}

}  // namespace ulisse::csv
