#include "ulisse/model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

#include "ulisse/error.h"

namespace ulisse {

namespace {

// "tau" stands for "tau.3" too.
bool covers(const std::string& name, const std::string& parameter) {
  return parameter == name || parameter.starts_with(name + ".");
}

std::string without_blanks_around(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

void set_prior(Model& model, const std::string& specification) {
  const std::size_t equals = specification.find('=');
  if (equals == std::string::npos) {
    throw InputError(
        fmt::format("'{}' sets no prior; write it like 'tau=gamma(1,1)'", specification));
  }
  const std::string name = without_blanks_around(specification.substr(0, equals));
  const Prior prior = parse_prior(specification.substr(equals + 1));
  bool found = false;
  for (Parameter& parameter : model.parameters) {
    if (!covers(name, parameter.name)) continue;
    parameter.prior = prior;
    found = true;
  }
  if (found) return;
  throw InputError(fmt::format("the kernel {} has no parameter '{}'; it has {}",
                               name_of(model.kernel), name, fmt::join(model.names(), ", ")));
}

}  // namespace

std::vector<std::string> Model::names() const {
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters) names.push_back(parameter.name);
  return names;
}

Vector Model::kernel_psi(const ConstVector& psi) const {
  return psi.head(kernel.parameter_count(dimensions));
}

Vector Model::noise_psi(const ConstVector& psi) const { return psi.tail(Noise::parameter_count()); }

ValueAndGradient Model::log_prior(const ConstVector& psi) const {
  if (psi.size() != parameter_count()) {
    throw std::invalid_argument(
        fmt::format("psi has {} elements, the model {}", psi.size(), parameter_count()));
  }
  ValueAndGradient result{0, Vector(psi.size())};
  for (Index i = 0; i < psi.size(); ++i) {
    const auto [value, slope] = parameters[i].prior.log_density_psi(psi(i));
    result.value += value;
    result.gradient(i) = slope;
  }
  return result;
}

Model make_model(const Kernel& kernel, Index dimensions, const std::vector<std::string>& priors) {
  Model model{kernel, dimensions};
  for (const auto& names : {kernel.parameter_names(dimensions), Noise::parameter_names()}) {
    for (const auto& name : names) {
      model.parameters.push_back({name, Prior(Prior::Family::gamma, 1, 1)});
    }
  }
  for (const auto& specification : priors) set_prior(model, specification);
  return model;
}

}  // namespace ulisse
