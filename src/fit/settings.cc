#include "fit/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "base/memory.h"
#include "base/nearest_name.h"
#include "base/option_names.h"
#include "fit/run_settings.h"
#include "fit/sampler_kind.h"
#include "model/prior_quantity.h"
#include "model/role_names.h"
#include "ulisse/error.h"
#include "ulisse/fit.h"

namespace ulisse {

namespace {

const Setting<FitSettings>& run_setting(const Option& option) {
  const auto& table = run_settings();
  return *std::find_if(table.begin(), table.end(),
                       [&](const auto& setting) { return setting.option.key == option.key; });
}

void require_one_of(const std::string& option, const std::string& value,
                    const std::vector<std::string>& allowed) {
  if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return;
  throw InputError(fmt::format("{}: '{}' is none of {}", option, value, fmt::join(allowed, ", ")));
}

void require_preset(const SamplerKind& kind, const std::string& preset) {
  std::vector<std::string> all, having;
  for (const SamplerKind& each : sampler_kinds()) {
    for (const std::string& known : each.presets) {
      if (known == preset) having.push_back(each.name);
      if (std::find(all.begin(), all.end(), known) == all.end()) all.push_back(known);
    }
  }
  std::sort(all.begin(), all.end());
  require_one_of(option_named("preset"), preset, all);
  const auto& own = kind.presets;
  if (std::find(own.begin(), own.end(), preset) != own.end()) return;
  throw InputError(fmt::format("{}: {} have it, not {}", option_set("preset", preset),
                               fmt::join(having, " and "), kind.name));
}

void check_own(const SamplerKind& kind, const FitSettings& s) {
  for (const Option& option : kind.options) {
    const auto found = s.own.find(option.key);
    if (found != s.own.end()) check(option, found->second);
  }
  if (kind.check) kind.check(s);
}

std::vector<std::string> keys_for(const SamplerKind& kind) {
  std::vector<std::string> keys;
  for (const Option& option : run_options()) keys.push_back(option.key);
  for (const Option& option : kind.options) keys.push_back(option.key);
  return keys;
}

[[noreturn]] void refuse_option(const std::string& key, const SamplerKind& kind, bool chosen) {
  const std::vector<std::string> owners = samplers_with(key);
  if (owners.empty()) {
    throw InputError(fmt::format("there is no setting {}{}", option_named(key),
                                 did_you_mean(key, keys_for(kind))));
  }
  throw InputError(
      fmt::format("{} is for the sampler {}, not for {}{}", option_named(key),
                  fmt::join(owners, " or "), kind.name,
                  chosen ? fmt::format(", which was chosen here; name the sampler, as by {}",
                                       option_set("sampler", owners.front()))
                         : ""));
}

// Of conjugate gradients and their results, for each right-hand side; of a preconditioner, for each
// of its rank.
constexpr double kColumnsOfASolve = 8, kColumnsOfARank = 3;

}  // namespace

FitSettings settings_for(const std::string& sampler, const std::string& preset, Index n) {
  // auto has been resolved by then.
  if (sampler == kAutomaticSampler)
    throw std::invalid_argument("settings are those of one sampler");
  const SamplerKind& kind = sampler_kind(sampler);
  require_preset(kind, preset);
  FitSettings s{.sampler = sampler, .preset = preset};
  for (const Option& option : kind.options) s.own[option.key] = option.initial;
  kind.set_defaults(s, n);
  return s;
}

void set_options(const OptionValues& given, FitSettings& settings, bool chosen) {
  const SamplerKind& kind = sampler_kind(settings.sampler);
  for (const auto& [key, value] : given) {
    if (const Option* option = find_option(run_options(), key)) {
      check(*option, value);
      run_setting(*option).member.set(value, settings);
    } else if (const Option* own = find_option(kind.options, key)) {
      if (own->key != key && given.count(own->key) > 0) {
        throw InputError(fmt::format("{} and {} are the same option: give one of them",
                                     option_named(own->key), option_named(key)));
      }
      check(*own, value);
      settings.own[own->key] = value;
    } else {
      refuse_option(key, kind, chosen);
    }
  }
  if (kind.reconcile) kind.reconcile(given, settings);
}

std::vector<std::string> priors_of(const std::string& preset,
                                   const std::vector<std::string>& given) {
  std::vector<std::string> priors;
  if (preset == "paper") {
    const auto sets = [](const std::string& prior, const std::string& name) {
      return quantity_in(prior.substr(0, prior.find_first_of(" \t="))).parameter == name;
    };
    for (const RoleNames& of : kRoleNames) {
      if (std::none_of(given.begin(), given.end(),
                       [&](const std::string& prior) { return sets(prior, of.parameter); })) {
        priors.push_back(of.parameter + std::string("=gamma(1,0.1)"));
      }
    }
  }
  priors.insert(priors.end(), given.begin(), given.end());
  return priors;
}

bool runs_by_iterations(const FitSettings& s) {
  const auto iterations = s.own.find("iterations");
  return iterations != s.own.end() && std::get<long>(iterations->second) > 0;
}

void check(const FitSettings& s) {
  const OptionValues values = values_of(run_settings(), s);
  for (const Option& option : run_options()) {
    if (option.key == "draws" && s.draws == 0 && runs_by_iterations(s)) continue;
    check(option, values.at(option.key));
  }
  check_own(sampler_kind(s.sampler), s);
}

void check_sizes(const FitSettings& s, Index n) {
  const SamplerKind& kind = sampler_kind(s.sampler);
  if (!kind.blocks) return;
  const SamplerBlocks blocks = kind.blocks(s);
  const long rank = std::min<long>(blocks.rank, n);
  const double columns = kColumnsOfASolve * static_cast<double>(blocks.columns) +
                         kColumnsOfARank * static_cast<double>(rank);
  check_memory(fmt::format("{} and {} with {} rows",
                           option_set(blocks.option, static_cast<double>(blocks.columns)),
                           option_set("rank", static_cast<double>(rank)), n),
               bytes_of(static_cast<double>(n) * columns));
}

}  // namespace ulisse
