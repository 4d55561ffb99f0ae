#include "data_options.h"

#include "options.h"

namespace ulisse::cli {

void add_data_options(CLI::App& app, DataOptions& options) {
  app.add_option("data", options.file, "A table with a header row: .csv or .csv.gz")->required();
  app.add_option("--target", options.target, "Name of the column to predict")->required();
  app.add_option("--features", options.features,
                 "Names of the input columns, such as a,b,c; default all others");
  app.add_option("--kernel", options.kernel,
                 "rbf, matern12, matern32, matern52; with -ard for one tau an input")
      ->capture_default_str();
  app.add_flag("--no-standardise", options.no_standardise,
               "Use the values as they are, not z-scores");
}

void add_prior_option(CLI::App& app, DataOptions& options) {
  app.add_option("--prior", options.priors,
                 "Such as tau=gamma(1,1), lambda=lognormal(0,1), sigma=half-normal(1), "
                 "tau.2=inverse-gamma(2,1); "
                 "default gamma(1,1)")
      ->allow_extra_args(false);  // one a time, so that the file may come after it
}

LoadedData load(const DataOptions& options) {
  CsvOptions columns{.target = options.target};
  if (!options.features.empty()) columns.features = split(options.features);
  const Dataset raw = read_csv(options.file, columns);
  const Standardisation scaling =
      options.no_standardise ? identity_standardisation(raw.x.cols()) : standardisation_of(raw);
  return {scaled(raw, scaling), scaling,
          make_model(parse_kernel(options.kernel), raw.x.cols(), options.priors)};
}

}  // namespace ulisse::cli
