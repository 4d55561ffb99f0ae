#include "config_file.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "base/limits.h"
#include "base/nearest_name.h"
#include "help_format.h"
#include "ulisse/error.h"

namespace ulisse::cli {

namespace {

// Hands the keys of one file to the options of a subcommand.
class ConfigFile {
 public:
  ConfigFile(std::string path, CLI::App& app) : path_(std::move(path)), app_(app) {}

  void apply() const {
    const toml::table table = parse();
    for (const auto& [key, value] : table) apply(std::string(key.str()), value);
  }

 private:
  // No more than a configuration can have: a device has no end.
  std::string read() const {
    std::ifstream file(path_, std::ios::binary);
    std::string text(limits::config_bytes + 1, '\0');
    if (file) file.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (!file.is_open() || file.bad()) {
      throw InputError(fmt::format("{}: cannot be read: {}", path_, std::strerror(errno)));
    }
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (text.size() <= limits::config_bytes) return text;
    throw InputError(fmt::format("{}: is longer than {} MiB, and no configuration", path_,
                                 limits::config_bytes >> 20));
  }

  toml::table parse() const {
    const std::string text = read();
    try {
      return toml::parse(text);
    } catch (const toml::parse_error& error) {
      throw refusal(error.source().begin.line, fmt::format("is not TOML: {}", error.description()));
    }
  }

  void apply(const std::string& key, const toml::node& value) const {
    const auto line = value.source().begin.line;
    CLI::Option* option = find(key, line);
    const std::vector<std::string> texts =
        is_flag(*option) ? of_flag(key, value) : of_option(key, value, *option);
    if (command_line_has(option) || texts.empty()) return;
    try {
      for (const std::string& text : texts) option->add_result(text);
      option->run_callback();
    } catch (const CLI::ParseError& error) {
      throw refusal(line, error.what());
    }
  }

  // The command line wins, also by an option that excludes this one.
  bool command_line_has(CLI::Option* option) const {
    if (is_given(app_, option)) return true;
    const auto& excluded = option->get_excludes();
    return std::any_of(excluded.begin(), excluded.end(),
                       [&](CLI::Option* other) { return is_given(app_, other); });
  }

  CLI::Option* find(const std::string& key, toml::source_index line) const {
    if (key == "config") throw refusal(line, "a configuration cannot name another one by 'config'");
    CLI::Option* option = app_.get_option_no_throw("--" + key);
    if (option == nullptr) option = app_.get_option_no_throw(key);  // the file to read, 'data'
    option = current(app_, option);
    if (option != nullptr && option->get_configurable() && !key.starts_with('-')) return option;
    throw refusal(line, fmt::format("there is no option '{}'{}", key, did_you_mean(key, names())));
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const CLI::Option* option : app_.get_options()) {
      if (!option->get_configurable() || option->get_group() == kFormerNames) continue;
      for (const auto& name : option->get_lnames()) names.push_back(name);
      if (option->get_positional()) names.push_back(option->get_name(true));
    }
    return names;
  }

  static bool is_flag(const CLI::Option& option) { return option.get_expected_min() == 0; }

  // Nothing for false, which is what a flag is when nobody gives it.
  std::vector<std::string> of_flag(const std::string& key, const toml::node& value) const {
    if (!value.is_boolean()) throw wrong_kind(key, value, "true or false");
    if (value.value_or(false)) return {"true"};
    return {};
  }

  std::vector<std::string> of_option(const std::string& key, const toml::node& value,
                                     const CLI::Option& option) const {
    const bool may_repeat = option.get_expected_max() > 1;
    const char* wanted = may_repeat ? "a value or an array of values" : "one value";
    if (!value.is_array()) return {text_of(key, value, wanted)};
    if (!may_repeat) throw wrong_kind(key, value, wanted);
    std::vector<std::string> texts;
    for (const toml::node& element : *value.as_array()) {
      texts.push_back(text_of(key, element, wanted));
    }
    return texts;
  }

  // As one would write it on the command line; its own check follows.
  std::string text_of(const std::string& key, const toml::node& value, const char* wanted) const {
    if (const auto* text = value.as_string()) return text->get();
    if (const auto* number = value.as_integer()) return fmt::format("{}", number->get());
    if (const auto* number = value.as_floating_point()) return fmt::format("{}", number->get());
    throw wrong_kind(key, value, wanted);
  }

  InputError wrong_kind(const std::string& key, const toml::node& value, const char* wanted) const {
    return refusal(value.source().begin.line,
                   fmt::format("{} takes {}, not {}", key, wanted, kind_of(value)));
  }

  static std::string kind_of(const toml::node& value) {
    if (value.is_table()) return "a table";
    if (value.is_array()) return "an array";
    if (value.is_string()) return "a text";
    if (value.is_number()) return "a number";
    if (value.is_boolean()) return value.value_or(false) ? "true" : "false";
    return "a date or a time";
  }

  InputError refusal(toml::source_index line, std::string_view what) const {
    return InputError(fmt::format("{}:{}: {}", path_, line, what));
  }

  std::string path_;
  CLI::App& app_;
};

}  // namespace

CLI::Option* add_config(CLI::App& app) {
  const auto apply = [&app](const std::string& path) { ConfigFile(path, app).apply(); };
  return app
      .add_option_function<std::string>(
          "--config", apply,
          "A TOML file with these options, such as chains = 4; the command line wins")
      ->configurable(false);
}

}  // namespace ulisse::cli
