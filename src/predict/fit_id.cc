#include "predict/fit_id.h"

#include <fmt/format.h>
#include <zlib.h>

#include <nlohmann/json.hpp>

#include "fit/settings.h"

namespace ulisse {

std::string fit_id(const nlohmann::ordered_json& fit) {
  using Json = nlohmann::ordered_json;
  Json known = {{"settings", fit.at("settings")}};
  // What may grow while the draws so far stay as they are.
  for (const char* key : kOfTheGoal) known["settings"].erase(key);
  known["settings"].erase("save_warmup");
  for (const char* key : {"target", "features", "rows", "fingerprint"}) {
    known[key] = fit.at("data").value(key, Json());
  }
  const std::string text = known.dump(-1, ' ', false, Json::error_handler_t::replace);
  const uLong hash = crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size());
  // With letters before it no program takes it for a number, as 1234e567 would be.
  return fmt::format("fit-{:08x}", hash);
}

}  // namespace ulisse
