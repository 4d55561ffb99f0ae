#include "report/fitted_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/printable.h"
#include "model/prior_quantity.h"

namespace ulisse {

namespace {

// The first few, and the last.
std::string shortened(const std::vector<std::string>& names, std::size_t most) {
  if (names.size() <= most) return fmt::format("{}", fmt::join(names, ", "));
  const std::vector<std::string> first(names.begin(), names.begin() + static_cast<long>(most) - 1);
  return fmt::format("{}, ..., {}", fmt::join(first, ", "), names.back());
}

// "lengthscale.2" and "gamma(2,1)" of tau.2 and "lengthscale=gamma(2,1)".
std::pair<std::string, std::string> in_its_quantity(const std::string& parameter,
                                                    const std::string& stated) {
  const std::size_t equals = stated.find('=');
  if (equals == std::string::npos) return {parameter, stated};
  return {name_of({parameter, stated.substr(0, equals)}), stated.substr(equals + 1)};
}

}  // namespace

std::string prior_text(const WhatWasFitted& fitted) {
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;
  for (const auto& [parameter, stated] : fitted.priors) {
    const auto [name, prior] = in_its_quantity(parameter, stated);
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

std::string trend_text(const WhatWasFitted& f) {
  if (f.trend.empty()) return "";
  return fmt::format("{}; coefficients ~ normal(0,{:g})", fmt::join(f.trend, ", "), f.trend_scale);
}

std::string to_text(const WhatWasFitted& f) {
  if (f.inputs.empty()) return "";
  constexpr std::size_t kMostInputs = 10;
  const std::string noise =
      f.known_noise.empty() ? "" : fmt::format(", measurement errors {}", f.known_noise);
  const std::string fixed =
      f.fixed.empty() ? "" : fmt::format("; fixed {}", fmt::join(f.fixed, ", "));
  return fmt::format("{}{} from {} ({}){}, {} row{}\nkernel {}, {}{}{}; priors {}\n",
                     f.file.empty() ? "" : f.file + ": ", f.target,
                     f.inputs.size() == 1 ? "1 input" : fmt::format("{} inputs", f.inputs.size()),
                     shortened(f.inputs, kMostInputs), noise, f.rows, f.rows == 1 ? "" : "s",
                     f.kernel, f.trend.empty() ? "" : fmt::format("trend {}, ", trend_text(f)),
                     f.standardised ? "inputs and target standardised" : "not standardised", fixed,
                     prior_text(f));
}

}  // namespace ulisse
