#include "data/record_reader.h"

#include "base/limits.h"
#include "data/text.h"

namespace ulisse::csv {
namespace {

void split_at(char separator, std::string_view text, const LineReader& lines, Record& record) {
  while (true) {
    check_field_count(record.size() + 1, lines.path(), lines.line());
    const std::size_t end = text.find(separator);
    record.push_back({trimmed(text.substr(0, end)), lines.line()});
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

bool RecordReader::next(Record& record) {
  record.clear();
  const auto line = next_line_with_text();
  if (!line) return false;
  // Most files have no quotes at all: the fields are then views into the line, nothing is copied.
  if (line->find('"') == std::string_view::npos) {
    split_at(separator_, *line, lines_, record);
  } else {
    read_quoted(*line, record);
  }
  return true;
}

std::optional<std::string_view> RecordReader::next_line_with_text() {
  auto line = lines_.next();
  while (line && trimmed(*line).empty()) line = lines_.next();
  return line;
}

void RecordReader::read_quoted(std::string_view first_line, Record& record) {
  quoted_.clear();
  bool complete = quoted_.add_line(first_line, lines_.line());
  while (!complete) {
    const auto line = lines_.next();
    if (!line || quoted_.size() > limits::row_bytes) quoted_.fail_unclosed();
    complete = quoted_.add_line(*line, lines_.line());
  }
  quoted_.append_fields_to(record);
}

}  // namespace ulisse::csv
