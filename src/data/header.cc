#include "data/header.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest_name.h"
#include "base/option_names.h"
#include "data/cell.h"
#include "data/text.h"
#include "ulisse/error.h"

namespace ulisse::csv {
namespace {

std::string missing_header() {
  return fmt::format(" (is the header row missing? {} calls the columns 1, 2, ...)",
                     option_named("no_header"));
}

}  // namespace

Header::Header(const std::string& path, const Record& record, char separator)
    : Header(fmt::format("{}:{}", path, record.front().line), separator) {
  for (const Field& field : record) names_.emplace_back(field.text);
  for (std::size_t k = 0; k < names_.size(); ++k) {
    if (names_[k].empty()) continue;
    const auto [first, added] = columns_.try_emplace(names_[k], k);
    if (!added) fail_twice(first->second, k);
  }
}

Header Header::numbered(const std::string& path, const Record& first_row) {
  Header header(fmt::format("{}:{}", path, first_row.front().line), '\0');
  header.is_numbered_ = true;
  for (std::size_t k = 0; k < first_row.size(); ++k) {
    header.names_.push_back(fmt::format("{}", k + 1));
    header.columns_.emplace(header.names_.back(), k);
  }
  return header;
}

void Header::fail_twice(std::size_t first, std::size_t second) const {
  throw InputError(fmt::format("{}: columns {} and {} are both named {}{}", place_, first + 1,
                               second + 1, shown(names_[second]),
                               all_names_are_numbers() ? missing_header() : ""));
}

bool Header::has(std::string_view name) const {
  return columns_.contains(std::string(trimmed(name)));
}

std::size_t Header::column(std::string_view name) const {
  const auto found = columns_.find(std::string(trimmed(name)));
  if (found == columns_.end()) fail_unknown(trimmed(name));
  return found->second;
}

void Header::check_usable(std::size_t column) const {
  if (names_[column].empty()) {
    throw InputError(fmt::format("{}: column {} has no name; name it, or list the features to use",
                                 place_, column + 1));
  }
  if (!is_utf8(names_[column])) {
    throw InputError(fmt::format("{}: column {}: the name {} is not UTF-8; save the file as UTF-8",
                                 place_, column + 1, shown(names_[column])));
  }
}

void Header::fail_unknown(std::string_view name) const {
  const auto nearest = nearest_name(name, names_);
  throw InputError(fmt::format(
      "{}: there is no column {}{}; the file has {}{}", place_, shown(name),
      nearest ? fmt::format(" (did you mean {}?)", shown(*nearest)) : "", list_of_names(), hint()));
}

std::string Header::list_of_names() const {
  constexpr std::size_t most = 12;
  std::string list;
  for (std::size_t k = 0; k < std::min(most, size()); ++k) {
    list += (k == 0 ? "" : ", ") + shown(names_[k]);
  }
  return size() > most ? fmt::format("{} and {} more", list, size() - most) : list;
}

// What else may be behind an unknown name.
std::string Header::hint() const {
  if (is_numbered_) return "";
  if (!all_names_are_utf8()) return "; the header is not UTF-8, so save the file as UTF-8";
  if (names_[0].starts_with('#'))
    return "; the first line starts with '#', and the header must come before any comment";
  if (all_names_are_numbers()) return missing_header();
  return separator_hint();
}

std::string Header::separator_hint() const {
  const auto found = [](const char* what, std::string_view separator) {
    return fmt::format(" (the header contains {}; if they separate it, {})", what,
                       option_set("separator", separator));
  };
  if (separator_ != ';' && any_name_contains(';')) return found("semicolons", ";");
  if (separator_ != '\t' && any_name_contains('\t')) return found("tabs", "tab");
  if (size() > 1 || separator_ == ' ') return "";
  if (any_name_contains(',')) return found("commas", ",");
  return any_name_contains(' ') ? " (the header contains no commas; separate by commas)" : "";
}

bool Header::all_names_are_utf8() const {
  return std::all_of(names_.begin(), names_.end(), is_utf8);
}

bool Header::any_name_contains(char c) const {
  return std::any_of(names_.begin(), names_.end(),
                     [&](const std::string& name) { return name.find(c) != std::string::npos; });
}

bool Header::all_names_are_numbers() const {
  return std::all_of(names_.begin(), names_.end(), [](const std::string& name) {
    return parse_cell(name).kind == CellKind::number;
  });
}

}  // namespace ulisse::csv
