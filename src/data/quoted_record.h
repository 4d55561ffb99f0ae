#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/record.h"

namespace ulisse::csv {

// A row with quotes in it, taken line by line since a quoted field can hold line ends. A quote
// opens a field only in front of it (spaces aside); elsewhere, as in 5" pipe, it is a plain
// character. Two quotes within a quoted field stand for one. Throws InputError.
class QuotedRecord {
 public:
  QuotedRecord(std::string path, char separator) : path_(std::move(path)), separator_(separator) {}

  void clear();

  // True when the row is complete, false when it goes on in the next line.
  bool add_line(std::string_view line, Index number);

  // Views into this object, good until clear().
  void append_fields_to(Record& record) const;

  std::size_t size() const { return text_.size(); }
  [[noreturn]] void fail_unclosed() const;

 private:
  struct Start {
    std::size_t offset;  // in text_; a field ends where the next one starts
    Index line;
  };

  std::size_t add_field(std::string_view line, std::size_t at, Index number);
  std::size_t add_quoted(std::string_view line, std::size_t at, Index number);
  std::size_t after_closing_quote(std::string_view line, std::size_t at, Index number) const;

  std::string_view blanks() const { return separator_ == '\t' ? " " : " \t"; }

  std::string path_;
  char separator_;
  std::string text_;  // the fields one after another, unquoted
  std::vector<Start> starts_;
  bool open_ = false;  // within quotes
};

}  // namespace ulisse::csv
