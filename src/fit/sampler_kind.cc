#include "fit/sampler_kind.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <stdexcept>

#include "base/option_names.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

std::deque<SamplerKind>& registry() {
  static std::deque<SamplerKind> kinds = {ulisse_kind(), sgld_kind(), metropolis_kind(),
                                          nuts_kind()};
  return kinds;
}

template <class Property>
std::string name_of_first(const Property& has) {
  const auto& kinds = registry();
  return std::find_if(kinds.begin(), kinds.end(), has)->name;  // the built-in ones have each
}

}  // namespace

const std::deque<SamplerKind>& sampler_kinds() { return registry(); }

const SamplerKind* find_sampler_kind(const std::string& name) {
  for (const SamplerKind& kind : registry()) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

std::string exact_sampler() {
  return name_of_first([](const SamplerKind& k) { return k.exact && k.follows_gradients; });
}

std::string mode_jumping_sampler() {
  return name_of_first([](const SamplerKind& k) { return k.jumps_between_modes; });
}

const SamplerKind& sampler_kind(const std::string& name) {
  if (const SamplerKind* kind = find_sampler_kind(name)) return *kind;
  std::vector<std::string> names;
  for (const SamplerKind& kind : registry()) names.push_back(kind.name);
  throw InputError(fmt::format("{}: '{}' is none of {}, {}", option_named("sampler"), name,
                               fmt::join(names, ", "), kAutomaticSampler));
}

void register_sampler(SamplerKind kind) {
  if (kind.name == kAutomaticSampler || find_sampler_kind(kind.name) != nullptr) {
    throw std::invalid_argument(fmt::format("there is a sampler '{}' already", kind.name));
  }
  registry().push_back(std::move(kind));
}

std::vector<std::string> samplers_with(const std::string& key) {
  std::vector<std::string> names;
  for (const SamplerKind& kind : registry()) {
    if (find_option(kind.options, key) != nullptr) names.push_back(kind.name);
  }
  return names;
}

}  // namespace ulisse
