#include "fit/identity.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/fnv1a.h"
#include "fit/settings.h"

namespace ulisse {

namespace {

using Json = nlohmann::ordered_json;

// Names need not be UTF-8.
std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string fit_identity(const Json& description) {
  Json settings = description.at("settings");
  for (const char* key : kOfTheGoal) settings.erase(key);
  settings.erase("save_warmup");
  Fnv1a hash;
  hash.add(text_of(settings));
  hash.add(text_of(description.at("parameters")));
  for (const char* key : {"target", "features", "rows", "fingerprint"}) {
    hash.add(text_of(description.at("data").at(key)));
  }
  return fmt::format("{:016x}", hash.hash());
}

}  // namespace ulisse
