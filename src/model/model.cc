#include "ulisse/model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>

#include "base/option_names.h"
#include "model/default_priors.h"
#include "model/named_priors.h"
#include "model/stated_model.h"
#include "model/trend.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

std::string without_blanks_around(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

[[noreturn]] void refuse_name(const Model& model, const std::string& name) {
  throw InputError(fmt::format("the kernel {} has no parameter '{}'; it has {}", model.given.kernel,
                               name, fmt::join(model.names(), ", ")));
}

bool data_units(const ModelOptions& options) {
  if (options.prior_units == kDataUnits) return true;
  if (options.prior_units == kStandardisedUnits) return false;
  throw InputError(fmt::format("{}: '{}' is neither {} nor {}", option_named("prior_units"),
                               options.prior_units, kStandardisedUnits, kDataUnits));
}

void take_default_priors(Model& model) {
  std::string& since = model.given.default_priors;
  if (since.empty()) since = kDefaultPriors;
  set_default_priors(since, model.layout);
}

void set_prior(Model& model, const std::string& specification) {
  const std::size_t equals = specification.find('=');
  if (equals == std::string::npos) {
    throw InputError(
        fmt::format("'{}' sets no prior; write it like 'tau=gamma(1,1)'", specification));
  }
  const std::string name = without_blanks_around(specification.substr(0, equals));
  const Prior prior = parse_prior(specification.substr(equals + 1));
  if (!model.layout.set_prior(name, prior, data_units(model.given))) refuse_name(model, name);
}

double value_in(const std::string& specification, const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && stopped == end) return value;
  throw InputError(fmt::format("{}: '{}' has no number behind its equals sign",
                               option_named("fixed"), specification));
}

void fix(Model& model, const std::string& specification) {
  const std::size_t equals = specification.rfind('=');
  if (equals == std::string::npos) {
    throw InputError(fmt::format("{}: '{}' fixes nothing; write it like 'lambda=0'",
                                 option_named("fixed"), specification));
  }
  const std::string name = without_blanks_around(specification.substr(0, equals));
  const double value =
      value_in(specification, without_blanks_around(specification.substr(equals + 1)));
  try {
    model.layout.fix(name, value, data_units(model.given));
  } catch (const std::invalid_argument& error) {
    throw InputError(fmt::format("{}: {}", option_named("fixed"), error.what()));
  }
}

}  // namespace

double Model::signal_variance(const ConstVector& psi) const {
  return variance_of(unpack(kernel, layout.kernel_psi(psi), dimensions));
}

double Model::noise_variance(const ConstVector& psi) const {
  return Noise::variance(layout.noise_psi(psi));
}

Model make_model(const Kernel& kernel, Index dimensions, const std::vector<std::string>& priors) {
  Model model{.kernel = kernel,
              .dimensions = dimensions,
              .layout = Layout(kernel.parameters(dimensions), Noise::parameters()),
              .given = {.kernel = name_of(kernel), .priors = priors}};
  take_default_priors(model);
  for (const auto& specification : priors) set_prior(model, specification);
  return model;
}

Model make_model(const ModelOptions& options, const Dataset& data) {
  const Kernel kernel = parse_kernel(options.kernel, data);
  const Index d = data.x.cols();
  Model model{.mean = parse_trend(options, data),
              .kernel = kernel,
              .dimensions = d,
              .noise = {.known = data.known_noise},
              .layout = Layout(kernel.parameters(d, data.features), Noise::parameters()),
              .given = options};
  data_units(options);  // also where nothing is given in them
  take_default_priors(model);
  for (const auto& text : with_places(options.priors, kernel, data, "priors")) {
    set_prior(model, text);
  }
  for (const auto& text : with_places(options.fixed, kernel, data, "fixed")) fix(model, text);
  if (model.layout.size() == 0) {
    throw InputError(
        fmt::format("{}: every parameter is fixed, and there is none to sample; leave "
                    "one free",
                    option_named("fixed")));
  }
  return model;
}

Model make_model(const Mean& mean, const Kernel& kernel, const Dataset& data) {
  const Index d = data.x.cols();
  Model model{.mean = mean,
              .kernel = kernel,
              .dimensions = d,
              .noise = {.known = data.known_noise},
              .layout = Layout(kernel.parameters(d, data.features), Noise::parameters())};
  take_default_priors(model);
  model.given = stated(model, data);
  return model;
}

Model make_model(const std::string& kernel, const Dataset& data,
                 const std::vector<std::string>& priors) {
  return make_model({.kernel = kernel, .priors = priors}, data);
}

// Shapes see standardised columns, and a period is in the column's own units.
Model scaled(Model model, const Standardisation& scaling) {
  for (Term& term : model.kernel.terms) {
    for (Factor& factor : term.factors) {
      for (KernelInput& input : factor.inputs) {
        if (input.kind == KernelInput::Kind::circle) input.period /= scaling.x_sd(input.column);
      }
    }
  }
  model.layout.scale(scaling);
  return model;
}

}  // namespace ulisse
