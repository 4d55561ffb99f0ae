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
  RecordReader(const std::string& path, char separator)
      : separator_(separator), lines_(path), quoted_(lines_.path(), separator) {}

  const std::string& path() const { return lines_.path(); }

  // False at the end of the file. The fields are good until the next call.
  bool next(Record& record);

 private:
  std::optional<std::string_view> next_line_with_text();
  void read_quoted(std::string_view first_line, Record& record);

  char separator_;
  LineReader lines_;
  QuotedRecord quoted_;
};

}  // namespace ulisse::csv
