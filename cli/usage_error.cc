#include "usage_error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "base/nearest_name.h"
#include "base/printable.h"
#include "help_format.h"

namespace ulisse::cli {

namespace {

const CLI::App& innermost(const CLI::App& app) {
  const auto parsed = app.get_subcommands();
  return parsed.empty() ? app : innermost(*parsed.front());
}

// "ulisse bench solve"
std::string path_of(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  return parent == nullptr ? app.get_name() : path_of(*parent) + " " + app.get_name();
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group() == kFormerNames) continue;
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> subcommand_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(sub->get_name());
  return names;
}

// The first argument that nothing took: an option if there is one, for what follows an unknown
// option may be its value. Nothing when "--" made plain arguments of options.
std::string not_taken(const CLI::App& app) {
  const auto rest = app.remaining(true);
  if (rest.empty() || std::find(rest.begin(), rest.end(), "--") != rest.end()) return "";
  const auto option = std::find_if(rest.begin(), rest.end(),
                                   [](const auto& word) { return word.starts_with("-"); });
  return option == rest.end() ? rest.front() : *option;
}

std::string unknown(const std::string& word, const CLI::App& command) {
  if (word.starts_with("-")) {
    const std::string name = word.substr(0, word.find('='));
    return fmt::format("there is no option '{}'{}", name,
                       did_you_mean(name, option_names(command)));
  }
  const auto subcommands = subcommand_names(command);
  if (subcommands.empty()) return fmt::format("'{}' is one argument too many", word);
  return fmt::format("there is no subcommand '{}'{}", word, did_you_mean(word, subcommands));
}

// CLI11's "--seed: At Most 1 required but received 2" and "--seed: 1 required INT missing".
std::string of_its_value(const std::string& what) {
  const std::string name = what.substr(0, what.find_first_of(": "));
  if (what.find("required but received") != std::string::npos) {
    return fmt::format("{} is given more than once", name);
  }
  if (what.ends_with(" missing")) return fmt::format("{} needs a value behind it", name);
  return what;
}

std::string sentence(const CLI::App& app, const CLI::App& command, const CLI::ParseError& error) {
  const std::string word = not_taken(app);
  // CLI11 would name what is required and missing, though the reason is that it is misspelt.
  if (!word.empty()) return unknown(word, command);
  std::string what = error.what();
  if (what == "data is required")
    return fmt::format("the file to read is missing: {} FILE --target COLUMN", path_of(command));
  if (command.get_subcommands().empty() && what == "A subcommand is required")
    return fmt::format("a subcommand is required: {}",
                       fmt::join(subcommand_names(command), " or "));
  // CLI11's "--json: takes no value".
  if (const auto colon = what.find(": takes no value"); colon != std::string::npos) {
    what.erase(colon, 1);
  }
  return error.get_name() == "ArgumentMismatch" ? of_its_value(what) : what;
}

}  // namespace

std::string usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = innermost(app);
  return fmt::format("ulisse: {}\nTry '{} --help'.\n", printable(sentence(app, command, error)),
                     path_of(command));
}

}  // namespace ulisse::cli
