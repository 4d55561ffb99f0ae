// Settings as JSON: fit.json's, and what Python gives.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/json_fields.h"
#include "base/nearest_name.h"
#include "base/option_names.h"
#include "fit/run_settings.h"
#include "fit/sampler_kind.h"
#include "model/default_priors.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

using Json = nlohmann::ordered_json;

// What every fit has besides its options.
template <class V>
void fields_of_any(FitSettings& s, V& v) {
  v("kernel", s.model.kernel);
  v("priors", s.model.priors);
  v("standardise", s.standardise);
  v("sampler", s.sampler);
  v("preset", s.preset);
}

// What a model need not have.
template <class V>
void fields_of_other_models(ModelOptions& m, V& v) {
  v("default_priors", m.default_priors,
    When{!m.default_priors.empty() && m.default_priors != kFirstDefaultPriors});
  v("fixed", m.fixed, kUnlessEmpty);
  v("prior_units", m.prior_units, Unless{std::string(kStandardisedUnits)});
  v("trend", m.trend, kUnlessEmpty);
  v("trend_scale", m.trend_scale, When{!m.trend.empty()});
}

const std::vector<std::string>& keys_of_any() {
  static const std::vector<std::string> keys = [] {
    FitSettings settings;
    FieldNames names;
    fields_of_any(settings, names);
    return names.names();
  }();
  return keys;
}

Json json_of(const OptionValue& value) {
  return std::visit([](const auto& v) { return Json(v); }, value);
}

// As the option's type has it.
OptionValue read_value(const Option& option, const JsonReader& at) {
  if (std::holds_alternative<bool>(option.initial)) return at.truth();
  if (std::holds_alternative<double>(option.initial)) return at.number();
  if (std::holds_alternative<std::string>(option.initial)) return at.text();
  const double least = option.range.least, most = option.range.most;
  return at.whole(std::isfinite(least) ? static_cast<long>(least) : 0,
                  most < 9.2e18 ? static_cast<long>(most) : JsonReader::kMaxCount);
}

// Under its key, or one that it had in an older version; nothing where neither is there.
std::optional<OptionValue> read_if_there(const Option& option, const JsonReader& json) {
  if (json.has(option.key)) return read_value(option, json.at(option.key));
  for (const std::string& key : option.former_keys) {
    if (json.has(key)) return read_value(option, json.at(key));
  }
  return std::nullopt;
}

// With the name that the file has. JsonReader::refuse names the place.
const SamplerKind& kind_in(const JsonReader& json, const std::string& name) {
  std::vector<std::string> names;
  for (const SamplerKind& kind : sampler_kinds()) {
    if (kind.name == name) return kind;
    names.push_back(kind.name);
  }
  json.at("sampler").refuse(fmt::format("one of {}", fmt::join(names, ", ")));
}

bool is_of_the_goal(const std::string& key) {
  return std::find(kOfTheGoal.begin(), kOfTheGoal.end(), key) != kOfTheGoal.end();
}

void read_run(const JsonReader& json, bool all, FitSettings& s) {
  for (const Setting<FitSettings>& setting : run_settings()) {
    Option option = *find_option(run_options(), setting.option.key);
    if (option.key == "draws") option.range.least = 0;  // of a run by iterations
    if (const auto value = read_if_there(option, json)) {
      setting.member.set(*value, s);
    } else if (all && !is_of_the_goal(option.key)) {
      json.at(option.key);
    }
  }
}

bool is_sampler(const std::string& name) {
  const auto& kinds = sampler_kinds();
  return std::any_of(kinds.begin(), kinds.end(),
                     [&](const SamplerKind& kind) { return kind.name == name; });
}

bool is_of_the_model(const std::string& key) {
  const auto has = [&](const std::vector<std::string>& keys) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  };
  return has(keys_of_any()) || has(keys_of_other_models());
}

OptionValue plain_value(const JsonReader& at) {
  const Json& json = at.json();
  if (json.is_boolean()) return at.truth();
  if (json.is_number_integer()) return at.whole(std::numeric_limits<long>::min());
  if (json.is_number()) return at.number();
  if (!json.is_string()) at.refuse("a number, a text, true or false");
  return at.text();
}

}  // namespace

const std::vector<std::string>& keys_of_other_models() {
  static const std::vector<std::string> keys = [] {
    ModelOptions model;
    FieldNames names;
    fields_of_other_models(model, names);
    return names.names();
  }();
  return keys;
}

Json to_json(const FitSettings& settings) {
  FitSettings s = settings;  // fields serve readers, too
  Json json;
  JsonWriter writer(json);
  fields_of_any(s, writer);
  fields_of_other_models(s.model, writer);
  for (const Setting<FitSettings>& setting : run_settings()) {
    json[setting.option.key] = json_of(setting.member.of(s));
  }
  for (const Option& option : sampler_kind(s.sampler).options) {
    const auto found = s.own.find(option.key);
    json[s.sampler][option.key] = json_of(found != s.own.end() ? found->second : option.initial);
  }
  return json;
}

FitSettings read_settings(const JsonReader& json, bool all) {
  FitSettings s;
  if (all) {
    for (const std::string& key : keys_of_any()) json.at(key);
  }
  s.model.default_priors = kFirstDefaultPriors;  // which is not written down
  JsonFieldsReader reader(json);
  fields_of_any(s, reader);
  fields_of_other_models(s.model, reader);
  read_run(json, all, s);
  const SamplerKind& kind = kind_in(json, s.sampler);
  for (const Option& option : kind.options) s.own[option.key] = option.initial;
  if (kind.options.empty() || (!all && !json.has(s.sampler))) return s;
  const JsonReader own = json.at(s.sampler);
  for (const Option& option : kind.options) {
    // What a fit of an older version does not have is as it is by default.
    if (const auto value = read_if_there(option, own)) s.own[option.key] = *value;
  }
  return s;
}

FitSettings settings_from_json(const Json& json) {
  return read_settings(JsonReader(json, "settings"), true);
}

OptionValues read_options(const JsonReader& json, const std::string& sampler) {
  OptionValues given;
  for (const auto& [key, value] : json.json().items()) {
    const JsonReader at = json.at(key);
    if (is_of_the_model(key)) {
      throw InputError(fmt::format("{} is no setting, but a parameter of its own", key));
    }
    if (!is_sampler(key)) {
      given[key] = plain_value(at);
      continue;
    }
    if (!value.is_object()) at.refuse("an object of settings");
    if (key != sampler) {
      throw InputError(fmt::format("these are settings of {}, and the sampler is {}: {}", key,
                                   sampler, option_set("sampler", key)));
    }
    for (const auto& [inner, ignored] : value.items()) {
      if (find_option(sampler_kind(key).options, inner) == nullptr) {
        std::vector<std::string> known;
        for (const Option& option : sampler_kind(key).options) known.push_back(option.key);
        throw InputError(fmt::format("the sampler {} has no setting '{}'{}", key, inner,
                                     did_you_mean(inner, known)));
      }
      given[inner] = plain_value(at.at(inner));
    }
  }
  return given;
}

}  // namespace ulisse
