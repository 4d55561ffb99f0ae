#include "option_help.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "fit/sampler_kind.h"

namespace ulisse::cli {

namespace {

// Tables for which a default may differ.
constexpr Index kFewRows = 1000, kManyRows = 100'000;

struct Default {
  std::string sampler, value;
};

// "300, or 100 for many rows" where it depends on the table.
std::string default_of(const std::string& key, const SamplerKind& kind) {
  const auto at = [&](Index n) {
    const FitSettings s = settings_for(kind.name, "default", n);
    const long value = key == "warmup" ? s.warmup : key == "draws" ? s.draws : s.chains;
    return value;
  };
  const long few = at(kFewRows), many = at(kManyRows);
  return few == many ? fmt::format("{}", few) : fmt::format("{} ({} for many rows)", few, many);
}

// The same value together: "500 for mh and sgld, 300 for nuts"; the value alone where all have it.
std::string in_words(const std::vector<Default>& defaults) {
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;
  for (const Default& d : defaults) {
    auto same = groups.begin();
    while (same != groups.end() && same->first != d.value) ++same;
    if (same == groups.end()) same = groups.insert(same, {d.value, {}});
    same->second.push_back(d.sampler);
  }
  if (groups.size() == 1) return groups[0].first;
  std::vector<std::string> texts;
  for (const auto& [value, samplers] : groups) {
    texts.push_back(fmt::format("{} for {}", value, fmt::join(samplers, " and ")));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string defaults_of(const std::vector<Option>& options,
                        const std::vector<std::string>& samplers) {
  std::vector<Default> defaults;
  const std::string& key = options.front().key;
  if (samplers.empty()) {
    if (key != "warmup" && key != "draws" && key != "chains") {
      const Option& option = options.front();
      return option.automatic.empty() ? to_string(option.initial) : option.automatic;
    }
    for (const SamplerKind& kind : sampler_kinds()) {
      defaults.push_back({kind.name, default_of(key, kind)});
    }
  }
  for (std::size_t i = 0; i < samplers.size(); ++i) {
    const Option& option = options[i];
    defaults.push_back(
        {samplers[i], option.automatic.empty() ? to_string(option.initial) : option.automatic});
  }
  return in_words(defaults);
}

}  // namespace

std::string heading_of(const Option& option, const std::vector<std::string>& samplers) {
  if (option.group == OptionGroup::run) return kRunHeading;
  if (option.group == OptionGroup::output) return kOutputHeading;
  if (samplers.size() != 1) return kAdvancedHeading;
  return fmt::format("{}, for the sampler {} alone", kAdvancedHeading, samplers.front());
}

std::string help_of(const std::vector<Option>& options, const std::vector<std::string>& samplers) {
  const Option& option = options.front();
  std::string text = option.help;
  if (!option.choices.empty()) text += fmt::format("; one of {}", fmt::join(option.choices, ", "));
  if (samplers.size() > 1) text += fmt::format(" (for {})", fmt::join(samplers, " and "));
  if (std::holds_alternative<bool>(option.initial) && !std::get<bool>(option.initial)) return text;
  return fmt::format("{}. Default {}", text, defaults_of(options, samplers));
}

}  // namespace ulisse::cli
