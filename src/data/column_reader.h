#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ulisse/types.h"

namespace ulisse::csv {

// What the cells of a column are.
enum class ColumnKind {
  unknown,   // until the first cell that is not missing
  number,    // any decimal number
  category,  // one of several texts
  date       // of ISO 8601
};

// One column, from its cells to numbers: as they are, the places 0, 1, ... of levels in their order
// of appearance, or days since the first.
class ColumnReader {
 public:
  // Where any kind is allowed, the first cell decides, but that numbers are dates if all of them
  // are eight digits of one, such as 20150131.
  explicit ColumnReader(ColumnKind kind = ColumnKind::unknown) : kind_(kind) {}

  // A column of a table that is known: with its levels, or dates counted from its first day.
  // new_levels: others may be there, too, each with a place of its own.
  ColumnReader(std::vector<std::string> levels, bool new_levels);
  // Of the table itself a copy may have the days as numbers.
  ColumnReader(const std::string& first_day, bool a_copy);

  enum class Outcome { value, not_finite, not_a_number, not_a_date, not_a_level, not_utf8 };

  // Empty, or a word that stands for no value.
  bool is_missing(std::string_view text) const;

  // A cell that is not missing.
  Outcome read(std::string_view text, double& value);

  ColumnKind kind() const { return kind_; }
  const std::vector<std::string>& levels() const { return levels_; }  // of a category
  bool is_known() const { return known_; }
  bool is_guess() const { return guess_; }  // of its first cell

  // Of a column that its first cell made a category: how many cells are numbers.
  Index numbers() const { return numbers_; }

  // Whether the cells, all numbers, are dates, too; those that were read become days.
  bool are_dates() const { return kind_ == ColumnKind::number && guess_ && eight_digits_; }
  void take_dates(Eigen::Ref<Vector> cells);

  // The days, counted from 1970, as days since the first, and which that is. A known column has it.
  std::string count_from_first_day(Eigen::Ref<Vector> days) const;

 private:
  Outcome read_number(std::string_view text, double& value) const;
  void look_for_date(std::string_view text);
  Outcome read_level(std::string_view text, double& value);
  Outcome read_date(std::string_view text, double& value) const;
  void decide(std::string_view text);

  ColumnKind kind_;
  bool known_ = false, guess_ = false, new_levels_ = false, a_copy_ = false;
  bool eight_digits_ = true;  // of a date, in all cells so far
  double origin_ = 0;         // of dates of a known column
  std::string first_day_;
  std::vector<std::string> levels_;
  std::unordered_map<std::string, Index> places_;
  Index numbers_ = 0;
};

// As a level is called: a number in its shortest form, so that 1 and 1.0 are one.
std::string level_name(std::string_view text);

}  // namespace ulisse::csv
