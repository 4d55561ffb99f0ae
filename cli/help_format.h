#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace ulisse::cli {

// The heading of older names of options, which go on working and are not shown. A heading that is
// empty would hide them, too, but CLI11's messages then do not name them.
inline const char* const kFormerNames = "Former names";

// The option itself, for one of its former names: that is what such a name's description says.
inline CLI::Option* current(CLI::App& app, CLI::Option* option) {
  if (option == nullptr || option->get_group() != kFormerNames) return option;
  return app.get_option_no_throw(option->get_description());
}

// Whether it was given, by any of its names.
inline bool is_given(CLI::App& app, CLI::Option* option) {
  for (CLI::Option* other : app.get_options()) {
    if (other->count() > 0 && current(app, other) == option) return true;
  }
  return false;
}

// CLI11's help without those.
class HelpFormat : public CLI::Formatter {
 public:
  std::string make_group(std::string group, bool is_positional,
                         std::vector<const CLI::Option*> options) const override {
    if (group == kFormerNames) return "";
    return CLI::Formatter::make_group(std::move(group), is_positional, std::move(options));
  }
};

}  // namespace ulisse::cli
