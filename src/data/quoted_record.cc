#include "data/quoted_record.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/option_names.h"
#include "data/text.h"
#include "ulisse/error.h"

namespace ulisse::csv {

void QuotedRecord::clear() {
  text_.clear();
  starts_.clear();
  open_ = false;
}

// The helpers return the position of the separator that ends the field, or the line's length.
bool QuotedRecord::add_line(std::string_view line, Index number) {
  std::size_t at = 0;
  if (open_) {
    text_ += '\n';
    at = add_quoted(line, 0, number);
  } else {
    at = add_field(line, 0, number);
  }
  while (at < line.size()) at = add_field(line, at + 1, number);
  return !open_;
}

std::size_t QuotedRecord::add_field(std::string_view line, std::size_t at, Index number) {
  check_field_count(starts_.size() + 1, path_, number);
  starts_.push_back({text_.size(), number});
  const std::size_t first = line.find_first_not_of(blanks(), at);
  if (first != std::string_view::npos && line[first] == '"') {
    open_ = true;
    return add_quoted(line, first + 1, number);
  }
  const std::size_t end = std::min(line.find(separator_, at), line.size());
  text_ += line.substr(at, end - at);
  return end;
}

// From within the quotes to the end of the field, or of the line when the quotes stay open.
std::size_t QuotedRecord::add_quoted(std::string_view line, std::size_t at, Index number) {
  while (true) {
    const std::size_t quote = std::min(line.find('"', at), line.size());
    text_ += line.substr(at, quote - at);
    if (quote == line.size()) return quote;
    const bool doubled = line.substr(quote).starts_with("\"\"");
    if (!doubled) {
      open_ = false;
      return after_closing_quote(line, quote + 1, number);
    }
    text_ += '"';
    at = quote + 2;
  }
}

std::size_t QuotedRecord::after_closing_quote(std::string_view line, std::size_t at,
                                              Index number) const {
  const std::size_t next = std::min(line.find_first_not_of(blanks(), at), line.size());
  if (next < line.size() && line[next] != separator_) {
    throw InputError(
        fmt::format("{}:{}: field {}: {} follows the closing quote{}", path_, number,
                    starts_.size(), shown(line.substr(next)),
                    line[next] == ';' ? "; if it separates, " + option_set("separator", ";") : ""));
  }
  return next;
}

void QuotedRecord::append_fields_to(Record& record) const {
  const std::string_view text = text_;
  for (std::size_t k = 0; k < starts_.size(); ++k) {
    const std::size_t begin = starts_[k].offset;
    const std::size_t end = k + 1 < starts_.size() ? starts_[k + 1].offset : text.size();
    record.push_back({trimmed(text.substr(begin, end - begin)), starts_[k].line});
  }
}

void QuotedRecord::fail_unclosed() const {
  const Start& last = starts_.back();
  throw InputError(fmt::format("{}:{}: field {}: the quote in front of {} is never closed", path_,
                               last.line, starts_.size(),
                               shown(std::string_view(text_).substr(last.offset))));
}

}  // namespace ulisse::csv
