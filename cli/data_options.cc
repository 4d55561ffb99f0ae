#include "data_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "options.h"
#include "ulisse/error.h"

namespace ulisse::cli {

namespace {

CLI::Validator not_empty() {
  const auto check = [](const std::string& text) -> std::string {
    return text.empty() ? "the name is empty" : "";
  };
  return {check, ""};
}

// "tau.water=..." as "tau.4=...", when water is the fourth input. A number is always a place.
std::string with_number(const std::string& prior, const Dataset& data, const Kernel& kernel) {
  const std::size_t equals = prior.rfind('=');
  if (!kernel.ard || !prior.starts_with("tau.") || equals == std::string::npos) return prior;
  const std::string name = without_blanks_around(prior.substr(4, equals - 4));
  if (name.find_first_not_of("0123456789") == std::string::npos) return prior;
  const auto found = std::find(data.features.begin(), data.features.end(), name);
  if (found == data.features.end()) return prior;
  return fmt::format("tau.{}{}", found - data.features.begin() + 1, prior.substr(equals));
}

Model model_of(const DataOptions& options, const Kernel& kernel, const Dataset& data) {
  std::vector<std::string> priors;
  for (const auto& prior : options.priors) priors.push_back(with_number(prior, data, kernel));
  return make_model(kernel, data.x.cols(), priors);
}

}  // namespace

char separator_of(const std::string& text) {
  if (text == "tab" || text == "\\t") return '\t';
  if (text.size() == 1) return text[0];
  throw InputError(
      fmt::format("--separator: '{}' is not one character; write it like ';' or tab", text));
}

void add_data_options(CLI::App& app, DataOptions& options) {
  app.add_option("data", options.file,
                 "A table with a header row: .csv or .csv.gz, or - for standard input")
      ->required();
  app.add_option("--target", options.target, "Name of the column to predict")->required();
  app.add_option("--features", options.features,
                 "Names of the input columns, such as a,b,c; default all others. May be repeated, "
                 "and a name that has commas in it must come alone")
      ->check(not_empty())
      ->allow_extra_args(false);  // one a time, so that the file may come after it
  app.add_option("--separator", options.separator,
                 "Between the cells: one character such as ';', or tab")
      ->capture_default_str();
  app.add_option("--kernel", options.kernel,
                 "rbf, matern12, matern32, matern52; with -ard for one tau an input")
      ->capture_default_str();
  app.add_flag("--no-standardise,--no-standardize", options.no_standardise,
               "Use the values as they are, not z-scores");
}

void add_prior_option(CLI::App& app, DataOptions& options) {
  app.add_option("--prior", options.priors,
                 "Of one parameter, in quotes; may be repeated. 'tau=gamma(1,1)' has shape and "
                 "rate, 'lambda=lognormal(0,1)' mean and sd of the logarithm, "
                 "'sigma=half-normal(1)' sd, 'tau.2=inverse-gamma(2,1)' shape and scale; with an "
                 "-ard kernel 'tau.age=...' is that of the input age. Default gamma(1,1)")
      ->allow_extra_args(false);
}

std::string LoadedData::input_of(std::size_t parameter) const {
  const bool is_tau = parameter > 0 && parameter + 1 < model.parameters.size();
  return model.kernel.ard && is_tau ? data.features[parameter - 1] : "";
}

RawData load_raw(const DataOptions& options) {
  const Kernel kernel = parse_kernel(options.kernel);  // before a long file is read
  Dataset raw = read_csv(options.file, {.target = options.target,
                                        .features = options.features,
                                        .separator = separator_of(options.separator)});
  Model model = model_of(options, kernel, raw);
  return {std::move(raw), std::move(model)};
}

LoadedData load(const DataOptions& options) {
  const auto [raw, model] = load_raw(options);
  const Standardisation scaling =
      options.no_standardise ? identity_standardisation(raw.x.cols()) : standardisation_of(raw);
  return {scaled(raw, scaling), scaling, !options.no_standardise, fingerprint(raw), model};
}

}  // namespace ulisse::cli
