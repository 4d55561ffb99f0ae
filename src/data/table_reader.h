#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "data/column_reader.h"
#include "data/header.h"
#include "data/record.h"
#include "data/row_store.h"
#include "ulisse/dataset.h"

namespace ulisse::csv {

// Turns the rows of a file into numbers. A missing cell is an error only at the end of the file,
// when the rows that have one are counted; any other error ends the reading.
class TableReader {
 public:
  // columns: those of choose_columns(), with a reader for each of them. noise: which of these says
  // what is known of the noise.
  TableReader(const std::string& path, const Header& header, std::vector<std::size_t> columns,
              std::vector<ColumnReader> readers, std::optional<std::size_t> noise,
              bool target_optional, const CsvOptions& options);

  void add(const Record& record);
  Dataset finish();

 private:
  // A text of a column that its first cell made a category, and a number of it.
  struct Doubtful {
    std::string place, text;
  };

  void check_width(const Record& record) const;
  void check_size(const Record& record) const;
  bool has_missing(const Record& record);
  void read_values(const Record& record);
  // Where there is no target, the first feature stands in its place.
  bool is_target(std::size_t k) const {
    return k + 1 == columns_.size() && columns_.back() != columns_.front();
  }
  // Cells that new points may lack: the target's, and what is known of the noise.
  bool may_lack_target(std::size_t k) const { return target_optional_ && k + 1 == columns_.size(); }
  bool may_lack_noise(std::size_t k) const { return k == noise_ && options_.target_optional; }
  [[noreturn]] void fail_cell(ColumnReader::Outcome outcome, const Field& field,
                              std::size_t k) const;
  std::string remedy(ColumnReader::Outcome outcome, std::size_t k) const;
  void note_missing(const Field& field, std::size_t k);
  void check_complete() const;
  void check_category(std::size_t k) const;
  void count_days(Dataset& data);
  void take_levels(Dataset& data) const;
  std::string place(const Field& field, std::size_t k) const;
  const std::string& name(std::size_t k) const { return header_.name(columns_[k]); }

  const std::string path_;
  const Header& header_;
  const std::vector<std::size_t> columns_;
  std::vector<ColumnReader> readers_;
  const std::optional<std::size_t> noise_;
  const bool target_optional_;
  const CsvOptions& options_;
  const std::size_t most_bytes_;
  std::vector<double> values_;        // of one row
  std::vector<Doubtful> first_text_;  // of each column
  RowStore store_;
  std::vector<Index> rows_read_;  // where rows are left out
  Index rows_ = 0;
  Index rows_with_missing_ = 0, rows_without_target_ = 0, rows_without_noise_ = 0;
  std::string first_missing_;  // message
};

}  // namespace ulisse::csv
