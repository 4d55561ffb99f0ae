#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace ulisse::cli {

// The heading of older names of options, which go on working and are not shown. A heading that is
// empty would hide them, too, but CLI11's messages then do not name them.
inline const char* const kFormerNames = "Former names";

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
