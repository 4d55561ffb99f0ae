#pragma once

#include <nlohmann/json.hpp>

#include "base/json_reader.h"
#include "ulisse/reason.h"

namespace ulisse {

// {"code", "values"}; a number that is not finite is null.
nlohmann::ordered_json to_json(const Reason& reason);

// The same again, or the sentence that earlier versions wrote. Throws InputError.
Reason reason_in(const JsonReader& json);

// The rule of members that are reasons, for base/json_fields.h; one that is not given is not
// written.
struct ReasonRule {
  bool has(const Reason& reason) const { return reason.given(); }
  nlohmann::ordered_json write(const Reason& reason) const { return to_json(reason); }
  void read(const JsonReader& json, Reason& reason) const { reason = reason_in(json); }
};

}  // namespace ulisse
