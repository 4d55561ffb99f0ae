#include "fit/sampler_kind.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

const SamplerKind* find_kind(const std::string& name) {
  for (const SamplerKind& kind : registry()) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

}  // namespace

const std::deque<SamplerKind>& sampler_kinds() { return registry(); }

const SamplerKind& sampler_kind(const std::string& name) {
  if (const SamplerKind* kind = find_kind(name)) return *kind;
  std::vector<std::string> names;
  for (const SamplerKind& kind : registry()) names.push_back(kind.name);
  throw InputError(fmt::format("{}: '{}' is none of {}, {}", option_named("sampler"), name,
                               fmt::join(names, ", "), kAutomaticSampler));
}

void register_sampler(SamplerKind kind) {
  if (kind.name == kAutomaticSampler || find_kind(kind.name) != nullptr) {
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
