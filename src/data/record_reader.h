#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "data/line_reader.h"
#include "data/quoted_record.h"
#include "data/record.h"

namespace ulisse::csv {

// The rows of a file, split into fields. Lines of only white space are skipped. Throws InputError.
class RecordReader {
 public:
  explicit RecordReader(const std::string& path) : lines_(path), quoted_(path) {}

  // False at the end of the file. The fields are good until the next call.
  bool next(Record& record);

 private:
  std::optional<std::string_view> next_line_with_text();
  void read_quoted(std::string_view first_line, Record& record);

  LineReader lines_;
  QuotedRecord quoted_;
};

}  // namespace ulisse::csv
