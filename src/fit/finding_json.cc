#include "fit/finding_json.h"

#include <nlohmann/json.hpp>

#include "base/json_text.h"

namespace ulisse {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Finding::Value& value) {
  if (const double* number = std::get_if<double>(&value)) return json_number(*number);
  return std::get<std::string>(value);
}

Json to_json(const Finding::Remedy& remedy) {
  Json json = {{"option", remedy.option}, {"change", to_string(remedy.change)}};
  if (remedy.value) json["value"] = to_json(*remedy.value);
  return json;
}

}  // namespace

Json to_json(const std::vector<Finding::Named>& values) {
  Json json = Json::object();
  for (const auto& [name, value] : values) json[name] = to_json(value);
  return json;
}

Json to_json(const Finding& finding) {
  Json parameters = Json::object(), remedies = Json::array();
  for (const auto& [parameter, statistic, value] : finding.parameters) {
    parameters[parameter][statistic] = json_number(value);
  }
  for (const Finding::Remedy& remedy : finding.remedies) remedies.push_back(to_json(remedy));
  return {{"code", to_string(finding.code)},
          {"values", to_json(finding.values)},
          {"parameters", parameters},
          {"remedies", remedies}};
}

Json to_json(const Findings& findings) {
  Json json = Json::array();
  for (const Finding& finding : findings) json.push_back(to_json(finding));
  return json;
}

}  // namespace ulisse
