#include "ulisse/model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/named_priors.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

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
  if (model.layout.set_prior(name, prior)) return;
  throw InputError(fmt::format("the kernel {} has no parameter '{}'; it has {}",
                               name_of(model.kernel), name, fmt::join(model.names(), ", ")));
}

}  // namespace

double Model::signal_variance(const ConstVector& psi) const {
  return unpack(kernel, layout.kernel_psi(psi), dimensions).sigma;
}

double Model::noise_variance(const ConstVector& psi) const {
  return Noise::variance(layout.noise_psi(psi));
}

Model make_model(const Kernel& kernel, Index dimensions, const std::vector<std::string>& priors) {
  Model model{.kernel = kernel,
              .dimensions = dimensions,
              .layout = Layout(kernel.parameters(dimensions), Noise::parameters()),
              .kernel_text = name_of(kernel),
              .prior_texts = priors};
  for (const auto& specification : priors) set_prior(model, specification);
  return model;
}

Model make_model(const std::string& kernel, const Dataset& data,
                 const std::vector<std::string>& priors) {
  const Kernel parsed = parse_kernel(kernel);
  Model model = make_model(parsed, data.x.cols(), with_places(priors, parsed, data));
  model.prior_texts = priors;
  return model;
}

}  // namespace ulisse
