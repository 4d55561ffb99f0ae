#include "fit/what_was_fitted.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ulisse {

namespace {

using Json = nlohmann::ordered_json;

// The first few, and the last.
std::string shortened(const std::vector<std::string>& names, std::size_t most) {
  if (names.size() <= most) return fmt::format("{}", fmt::join(names, ", "));
  const std::vector<std::string> first(names.begin(), names.begin() + static_cast<long>(most) - 1);
  return fmt::format("{}, ..., {}", fmt::join(first, ", "), names.back());
}

}  // namespace

std::string WhatWasFitted::prior_text() const {
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;
  for (const auto& [name, prior] : priors) {
    const auto same = std::find_if(groups.begin(), groups.end(),
                                   [&](const auto& group) { return group.first == prior; });
    if (same == groups.end()) {
      groups.push_back({prior, {name}});
    } else {
      same->second.push_back(name);
    }
  }
  constexpr std::size_t kMostNames = 6;
  std::vector<std::string> texts;
  for (const auto& [prior, names] : groups) {
    texts.push_back(fmt::format("{} ~ {}", shortened(names, kMostNames), prior));
  }
  return fmt::format("{}", fmt::join(texts, "; "));
}

WhatWasFitted what_was_fitted(const FitRecord& record) {
  WhatWasFitted fitted{.standardised = record.settings.standardise,
                       .kernel = record.settings.kernel,
                       .preset = record.settings.preset,
                       .seed = record.settings.seed};
  if (record.data) {
    fitted.file = record.data->file;
    fitted.target = record.data->target;
    fitted.rows = record.data->rows;
    fitted.inputs = record.data->features;
  }
  for (const FitRecord::Parameter& p : record.parameters) {
    fitted.priors.emplace_back(p.name, p.prior);
  }
  return fitted;
}

std::string to_text(const WhatWasFitted& f) {
  if (f.inputs.empty()) return "";
  constexpr std::size_t kMostInputs = 10;
  return fmt::format("{}{} from {} ({}), {} row{}\nkernel {}, {}; priors {}\n",
                     f.file.empty() ? "" : f.file + ": ", f.target,
                     f.inputs.size() == 1 ? "1 input" : fmt::format("{} inputs", f.inputs.size()),
                     shortened(f.inputs, kMostInputs), f.rows, f.rows == 1 ? "" : "s", f.kernel,
                     f.standardised ? "inputs and target standardised" : "not standardised",
                     f.prior_text());
}

Json to_json(const WhatWasFitted& f) {
  Json priors = Json::object();
  for (const auto& [name, prior] : f.priors) priors[name] = prior;
  return {{"file", f.file},
          {"target", f.target},
          {"rows", f.rows},
          {"inputs", f.inputs},
          {"standardised", f.standardised},
          {"kernel", f.kernel},
          {"priors", priors},
          {"preset", f.preset},
          {"seed", f.seed}};
}

}  // namespace ulisse
