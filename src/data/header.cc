#include "data/header.h"

#include <fmt/format.h>

#include <algorithm>

#include "data/cell.h"
#include "data/nearest_name.h"
#include "data/text.h"
#include "ulisse/error.h"

namespace ulisse::csv {

Header::Header(const std::string& path, const Record& record)
    : place_(fmt::format("{}:{}", path, record.front().line)) {
  for (const Field& field : record) {
    names_.emplace_back(field.text);
    if (field.text.empty()) continue;
    const auto [first, added] = columns_.try_emplace(names_.back(), names_.size() - 1);
    if (added) continue;
    throw InputError(fmt::format("{}: columns {} and {} are both named {}", place_,
                                 first->second + 1, names_.size(), shown(field.text)));
  }
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
  constexpr std::string_view wrong_separator = " (the header contains {}; separate by commas)";
  if (any_name_contains(';')) return fmt::format(wrong_separator, "semicolons");
  if (any_name_contains('\t')) return fmt::format(wrong_separator, "tabs");
  if (size() == 1 && any_name_contains(' ')) return fmt::format(wrong_separator, "no commas");
  if (all_names_are_numbers()) return " (is the header row missing?)";
  return "";
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
