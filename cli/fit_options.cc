#include "fit_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/option_names.h"
#include "help_format.h"
#include "option_help.h"
#include "options.h"
#include "ulisse/error.h"

namespace ulisse::cli {

namespace {

// Off unless it is given.
bool is_flag(const Option& option) {
  const bool* value = std::get_if<bool>(&option.initial);
  return value != nullptr && !*value;
}

// The widest of all owners': the sampler's own range is looked at when it is known.
OptionRange widest(const std::vector<Option>& options) {
  OptionRange range = options.front().range;
  for (const Option& option : options) {
    range.least = std::min(range.least, option.range.least);
    range.most = std::max(range.most, option.range.most);
    range.automatic_zero = range.automatic_zero || option.range.automatic_zero;
  }
  return range;
}

void check_numbers(CLI::Option& added, const std::vector<Option>& options) {
  const OptionRange range = widest(options);
  if (std::holds_alternative<long>(options.front().initial)) {
    added.transform(whole_number(static_cast<long>(range.least), range.most));
  } else if (std::holds_alternative<double>(options.front().initial)) {
    added.check(range.least == 0 && !options.front().range.above_least ? positive_or_zero()
                                                                       : positive());
  }
}

OptionValue value_of(const Option& option, const std::string& text) {
  if (std::holds_alternative<std::string>(option.initial)) return text;
  if (std::holds_alternative<bool>(option.initial)) {
    if (text != "true" && text != "false") {
      throw InputError(fmt::format("{} must be true or false",
                                   option_named(option.key, OptionNames::command_line)));
    }
    return text == "true";
  }
  if (std::holds_alternative<long>(option.initial)) return std::stol(text);
  return parse_numbers(option_named(option.key, OptionNames::command_line), text)(0);
}

// The name under which it was given; empty where it was not. Throws InputError for two of its
// names.
std::string name_given(const std::vector<CLI::Option*>& added) {
  std::string name;
  for (const CLI::Option* option : added) {
    if (option->count() == 0) continue;
    const std::string this_name = option->get_name();
    if (!name.empty()) {
      throw InputError(
          fmt::format("{} and {} are the same option: give one of them", name, this_name));
    }
    name = this_name;
  }
  return name;
}

const char* type_of(const Option& option) {
  if (std::holds_alternative<long>(option.initial)) return "INT";
  return std::holds_alternative<double>(option.initial) ? "FLOAT" : "TEXT";
}

}  // namespace

FitOptionSet::FitOptionSet() {
  for (const Option& option : run_options()) collect(option, "");
  for (const SamplerKind& kind : sampler_kinds()) {
    for (const Option& option : kind.options) collect(option, kind.name);
  }
}

void FitOptionSet::collect(const Option& option, const std::string& sampler) {
  auto found = std::find_if(all_.begin(), all_.end(),
                            [&](const auto& shared) { return shared->first().key == option.key; });
  if (found == all_.end()) found = all_.insert(found, std::make_unique<Shared>());
  (*found)->options.push_back(option);
  if (!sampler.empty()) (*found)->samplers.push_back(sampler);
}

void FitOptionSet::add(CLI::App& app, Shared& shared, const std::string& flag, bool former) {
  const Option& option = shared.first();
  const std::string help =
      former ? shared.added.front()->get_name() : help_of(shared.options, shared.samplers);
  CLI::Option* added = is_flag(option) ? app.add_flag_callback(
                                             flag, [&shared] { shared.text = "true"; }, help)
                                       : app.add_option(flag, shared.text, help);
  if (!is_flag(option)) {
    check_numbers(*added, shared.options);
    added->type_name(type_of(option));
  }
  added->group(former ? kFormerNames : heading_of(option, shared.samplers));
  shared.added.push_back(added);
}

void FitOptionSet::add_to(CLI::App& app) {
  for (const auto& shared : all_)
    add(app, *shared, option_named(shared->first().key, OptionNames::command_line), false);
  for (const auto& shared : all_) {
    std::vector<std::string> former;
    for (const Option& option : shared->options) {
      for (const std::string& flag : option.former_flags) {
        if (std::find(former.begin(), former.end(), flag) == former.end()) former.push_back(flag);
      }
    }
    for (const std::string& flag : former) add(app, *shared, "--" + flag, true);
  }
}

OptionValues FitOptionSet::given(const std::string& sampler) const {
  OptionValues values;
  for (const auto& shared : all_) {
    const std::string name = name_given(shared->added);
    if (name.empty()) continue;
    const auto& owners = shared->samplers;
    const bool has = owners.empty() || sampler == kAutomaticSampler ||
                     std::find(owners.begin(), owners.end(), sampler) != owners.end();
    if (!has) {
      throw InputError(fmt::format("{} is for the sampler {}, not for {}", name,
                                   fmt::join(owners, " or "), sampler));
    }
    values[shared->first().key] = value_of(shared->first(), shared->text);
  }
  return values;
}

}  // namespace ulisse::cli
