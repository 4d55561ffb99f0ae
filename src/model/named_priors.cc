#include "model/named_priors.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string_view>

#include "base/option_names.h"
#include "model/prior_quantity.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

constexpr std::string_view kTau = "tau.";

std::string without_blanks_around(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

void check_place_is_clear(const std::string& parameter, const Dataset& data) {
  if (data.all_features.empty()) return;
  throw InputError(
      fmt::format("{}: {} could be counted with the columns that were left out, which are "
                  "constant, or without them; name the input, as in '{}{}=...'",
                  option_named("priors"), parameter, kTau, data.features.front()));
}

// Whether the kernel's parameters have the places of inputs, not their names.
bool counts_inputs(const Kernel& kernel) {
  const Factor& factor = kernel.terms[0].factors[0];
  return kernel.is_one_factor() && factor.ard && !factor.by_name;
}

// Among the kernel's inputs, from 1.
std::optional<std::size_t> place_of(const std::string& input, const Kernel& kernel,
                                    const Dataset& data) {
  const auto inputs = inputs_of(kernel.terms[0].factors[0], data.x.cols());
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    if (data.features[static_cast<std::size_t>(inputs[k].column)] == input) return k + 1;
  }
  return std::nullopt;
}

std::string with_place(const std::string& prior, const Kernel& kernel, const Dataset& data) {
  const auto [parameter, quantity] = quantity_in(parameter_in(prior));
  if (!parameter.starts_with(kTau) || prior.find('=') == std::string::npos) return prior;
  const std::string input = without_blanks_around(parameter.substr(kTau.size()));
  if (is_number(input)) {
    check_place_is_clear(parameter, data);
    return prior;
  }
  const auto place = place_of(input, kernel, data);
  if (!place) return prior;
  return name_of({fmt::format("{}{}", kTau, *place), quantity}) + prior.substr(prior.rfind('='));
}

// `tau` and `tau.2` go together; of two priors for one name only one could be meant, and the length
// scale is tau in other terms.
void check_named_once(const std::vector<std::string>& priors, const std::string& option) {
  std::map<std::string, std::string> given;  // by the parameter, how it was named
  for (const std::string& prior : priors) {
    const std::string name = parameter_in(prior);
    const auto [before, is_new] = given.insert({quantity_in(name).parameter, name});
    if (is_new) continue;
    const char* twice = option == "priors" ? "has two priors" : "is there twice";
    const std::string what =
        before->second == name
            ? fmt::format("{} {}", name, twice)
            : fmt::format("{} and {} are one parameter, which {}; leave one of them out",
                          before->second, name, twice);
    throw InputError(fmt::format("{}: {}", option_named(option), what));
  }
}

}  // namespace

std::string parameter_in(const std::string& prior) {
  return without_blanks_around(prior.substr(0, prior.rfind('=')));
}

std::vector<std::string> with_places(const std::vector<std::string>& priors, const Kernel& kernel,
                                     const Dataset& data, const std::string& option) {
  std::vector<std::string> placed;
  for (const std::string& prior : priors) {
    placed.push_back(counts_inputs(kernel) ? with_place(prior, kernel, data) : prior);
  }
  check_named_once(placed, option);
  return placed;
}

}  // namespace ulisse
