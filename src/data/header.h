#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "data/record.h"
#include "ulisse/types.h"

namespace ulisse::csv {

// The column names of a file. No two are equal, but any number can be empty: programs that write
// row numbers leave the name of their column out. Throws InputError.
class Header {
 public:
  Header(const std::string& path, const Record& record, char separator);

  // Of a file without names, whose first row this is: 1, 2, ...
  static Header numbered(const std::string& path, const Record& first_row);

  std::size_t size() const { return names_.size(); }
  const std::string& name(std::size_t column) const { return names_[column]; }

  bool has(std::string_view name) const;

  // Where the column of this name is.
  std::size_t column(std::string_view name) const;

  // Whether it could as well be a row of data.
  bool all_names_are_numbers() const;

  // Throws unless the column has a name to call it by, in UTF-8 since names end up in JSON.
  void check_usable(std::size_t column) const;

  // "file:line", the beginning of every message about the header.
  const std::string& place() const { return place_; }

 private:
  Header(std::string place, char separator) : place_(std::move(place)), separator_(separator) {}
  [[noreturn]] void fail_twice(std::size_t first, std::size_t second) const;
  [[noreturn]] void fail_unknown(std::string_view name) const;
  std::string list_of_names() const;
  std::string hint() const;
  std::string separator_hint() const;
  bool all_names_are_utf8() const;
  bool any_name_contains(char c) const;

  std::string place_;
  char separator_;
  bool is_numbered_ = false;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t> columns_;
};

}  // namespace ulisse::csv
