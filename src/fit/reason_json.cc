#include "fit/reason_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/json_text.h"
#include "fit/finding_json.h"

namespace ulisse {

namespace {

Reason::Code code_in(const JsonReader& json) {
  const std::string name = json.text();
  const auto& codes = all_reason_codes();
  const auto found = std::find_if(codes.begin(), codes.end(),
                                  [&](Reason::Code code) { return to_string(code) == name; });
  if (found == codes.end()) json.refuse("the code of a reason");
  return *found;
}

// What its words say.
struct Said {
  std::vector<const char*> numbers, texts;
};
Said said_by(Reason::Code code) {
  switch (code) {
    case Reason::Code::in_words:
      return {{}, {"words"}};
    case Reason::Code::sampler_of_preset:
      return {{}, {"preset"}};
    case Reason::Code::exact_needs_memory:
      return {{"rows"}, {}};
    case Reason::Code::exact_too_slow:
    case Reason::Code::exact_quick_enough:
    case Reason::Code::exact_quickest:
      return {{"rows", "exact_seconds", "other_seconds"}, {"exact", "other"}};
    default:
      return {};
  }
}

void require_what_is_said(const JsonReader& values, Reason::Code code) {
  const Said said = said_by(code);
  for (const char* name : said.numbers) values.at(name).number_or(NAN);
  for (const char* name : said.texts) values.at(name).text();
}

}  // namespace

nlohmann::ordered_json to_json(const Reason& reason) {
  return {{"code", to_string(reason.code)}, {"values", to_json(reason.values)}};
}

Reason reason_in(const JsonReader& json) {
  if (json.json().is_string()) {
    const std::string words = json.text();
    return words.empty() ? Reason{} : Reason{Reason::Code::in_words, {{"words", words}}};
  }
  Reason reason{code_in(json.at("code"))};
  const JsonReader values = json.at("values");
  if (!values.json().is_object()) values.refuse("an object of numbers and texts");
  require_what_is_said(values, reason.code);
  for (const auto& [name, value] : values.json().items()) {
    const JsonReader at = values.at(name);
    if (value.is_string()) {
      reason.values.push_back({name, at.text()});
    } else {
      reason.values.push_back({name, at.number_or(NAN)});
    }
  }
  return reason;
}

}  // namespace ulisse
