#include "report/advice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>

namespace ulisse {

namespace {

using Change = Finding::Remedy::Change;
using Remedy = Finding::Remedy;

std::string assigned(const Remedy& remedy, OptionNames names) {
  if (!remedy.value) return option_named(remedy.option, names);
  if (const double* number = std::get_if<double>(&*remedy.value)) {
    // Of a step that was found out, two digits are enough.
    const double short_one = std::strtod(fmt::format("{:.2g}", *number).c_str(), nullptr);
    return option_set(remedy.option, short_one, names);
  }
  return option_set(remedy.option, std::get<std::string>(*remedy.value), names);
}

// "more", "a longer": what goes with the noun.
const char* larger(const std::string& option) {
  if (option == "draws" || option == "max_draws" || option == "memory") return "more";
  if (option == "warmup") return "a longer";
  return option == "rank" ? "a higher" : "a larger";
}

// What to take; empty where it is another kind of advice.
std::string taken(const Remedy& remedy, OptionNames names) {
  const std::string name = option_named(remedy.option, names);
  switch (remedy.change) {
    case Change::increase:
      return fmt::format("{} {}", larger(remedy.option), name);
    case Change::decrease:
      return "a smaller " + name;
    case Change::halve:
      return "half the " + name;
    case Change::another:
      return "another " + name;
    case Change::strengthen:
      return (names == OptionNames::command_line ? "a stronger " : "stronger ") + name;
    case Change::set:
      return assigned(remedy, names);
    case Change::compare:
    case Change::state:
      break;
  }
  return "";
}

// Python's fits have no folder to go on in: they are made again.
std::string again(const std::string& option, OptionNames names) {
  const bool folder = names != OptionNames::python;
  if (option == "resume") {
    return folder ? "go on with " + option_named(option, names)
                  : "fit again with a larger " + option_named("time_limit", names);
  }
  return folder ? "fit again with " + option_named(option, names) : "fit again";
}

std::string joined(const std::vector<std::string>& items) {
  const std::vector<std::string> first(items.begin(), items.end() - 1);
  if (first.empty()) return items.back();
  return fmt::format("{} or {}", fmt::join(first, ", "), items.back());
}

}  // namespace

std::string advice(const std::vector<Remedy>& remedies, OptionNames names) {
  std::vector<std::string> items, sentences;
  for (const Remedy& remedy : remedies) {
    if (remedy.option == "resume" || remedy.option == "force") {
      sentences.push_back(again(remedy.option, names));
    } else if (remedy.change == Change::compare) {
      sentences.push_back(fmt::format("compare with {} where the number of rows allows it",
                                      assigned(remedy, names)));
    } else if (remedy.change == Change::state) {
      sentences.push_back(
          fmt::format("state what is known beforehand by {}", option_named(remedy.option, names)));
    } else {
      items.push_back(taken(remedy, names));
    }
  }
  if (!items.empty()) sentences.insert(sentences.begin(), "take " + joined(items));
  return fmt::format("{}", fmt::join(sentences, ", or "));
}

}  // namespace ulisse
