#include "data_options.h"

#include <fmt/format.h>

#include "base/printable.h"
#include "model/model_notes.h"
#include "model/trend.h"
#include "option_help.h"
#include "options.h"
#include "ulisse/error.h"

namespace ulisse::cli {

char separator_of(const std::string& text) {
  if (text == "tab" || text == "\\t") return '\t';
  if (text.size() == 1) return text[0];
  throw InputError(
      fmt::format("--separator: '{}' is not one character; write it like ';' or tab", text));
}

namespace {

void add_noise_options(CLI::App& app, DataOptions& options) {
  auto* variance = app.add_option("--noise-variance", options.noise_variance,
                                  "The same with the column of variances")
                       ->group(kModelHeading);
  app.add_option("--noise-sd", options.noise_sd,
                 "Name of the column with the known measurement error of each row, as a standard "
                 "deviation in the target's units, which is added to lambda; it is no input")
      ->excludes(variance)
      ->group(kModelHeading);
}

}  // namespace

void add_data_options(CLI::App& app, DataOptions& options) {
  app.add_option("data", options.file,
                 "A table with a header row: .csv or .csv.gz, or - for standard input")
      ->required();
  app.add_option("--target", options.target, "Name of the column to predict")
      ->required()
      ->group(kDataHeading);
  app.add_option("--features", options.features,
                 "Names of the input columns, such as a,b,c; default all others. May be repeated, "
                 "and a name that has commas in it must come alone")
      ->allow_extra_args(false)  // one a time, so that the file may come after it
      ->group(kDataHeading);
  app.add_option("--exclude", options.exclude,
                 "Names of columns that are no inputs, among all others; as --features")
      ->allow_extra_args(false)
      ->group(kDataHeading);
  app.add_option("--categories", options.categories,
                 "Names of inputs whose values are levels of a category, coded as numbers; columns "
                 "of text are categories anyway")
      ->allow_extra_args(false)
      ->group(kDataHeading);
  app.add_flag("--drop-missing", options.drop_missing,
               "Leave rows out that have missing cells, and say how many")
      ->group(kDataHeading);
  app.add_option("--separator", options.separator,
                 "Between the cells: one character such as ';', or tab")
      ->capture_default_str()
      ->group(kDataHeading);
  add_no_header(app, options.no_header)->group(kDataHeading);
  app.add_option("--kernel", options.model.kernel,
                 "rbf, matern12, matern32, matern52; with -ard for one tau an input. Or a sum of "
                 "products on inputs, as 'matern32(lon,lat) + periodic(day,365.25)*rbf(day)'")
      ->capture_default_str()
      ->group(kModelHeading);
  app.add_option("--trend", options.model.trend, kTrendHelp)
      ->allow_extra_args(false)
      ->group(kModelHeading);
  app.add_option("--trend-scale", options.model.trend_scale,
                 "Prior sd of the trend's coefficients, on standardised columns")
      ->check(positive())
      ->capture_default_str()
      ->group(kModelHeading);
  add_noise_options(app, options);
  app.add_flag("--no-standardise,--no-standardize", options.no_standardise,
               "Use the values as they are, not z-scores")
      ->group(kModelHeading);
}

void add_prior_option(CLI::App& app, DataOptions& options) {
  app.add_option(
         "--prior", options.model.priors,
         "Of one parameter, in quotes; may be repeated. 'tau=gamma(1,1)' has shape and "
         "rate, 'lambda=lognormal(0,1)' mean and sd of the logarithm, "
         "'sigma=half-normal(1)' sd, 'tau.2=inverse-gamma(2,1)' shape and scale; with an "
         "-ard kernel 'tau.age=...' is that of the input age. Or of the length scale, "
         "'lengthscale=...' and 'lengthscale.age=...', of 'noise_sd' and of 'signal_sd'; "
         "half-student-t(df,scale) and half-cauchy(scale) are there, too. Default wide ones "
         "of lengthscale, noise_sd and signal_sd")
      ->allow_extra_args(false)
      ->group(kModelHeading);
  app.add_option("--prior-units", options.model.prior_units,
                 "Of what --prior and --fix say: standardised, or data for the units of the table")
      ->capture_default_str()
      ->group(kModelHeading);
}

void add_fix_option(CLI::App& app, DataOptions& options) {
  app.add_option("--fix", options.model.fixed,
                 "A value that is not sampled then, as 'lambda=0', 'noise_sd=0.1' or "
                 "'lengthscale.age=30'; may be repeated")
      ->allow_extra_args(false)
      ->group(kModelHeading);
}

std::string LoadedData::input_of(std::size_t parameter) const {
  const auto input = model.layout.input_of(static_cast<Index>(parameter));
  return input ? data.features[static_cast<std::size_t>(*input)] : "";
}

CLI::Option* add_no_header(CLI::App& app, bool& no_header) {
  return app.add_flag("--no-header", no_header,
                      "The first row is data; the columns are called 1, 2, ...");
}

namespace {

void print_note(const std::string& note) {
  fmt::print(stderr, "ulisse: note: {}\n", printable(note));
}

}  // namespace

void print_notes(const Dataset& data) {
  for (const std::string& note : data.notes) print_note(note);
}

RawData load_raw(const DataOptions& options) {
  const bool variance = !options.noise_variance.empty();
  Dataset raw =
      read_csv(options.file, {.target = options.target,
                              .features = options.features,
                              .exclude = options.exclude,
                              .categories = options.categories,
                              .noise = variance ? options.noise_variance : options.noise_sd,
                              .noise_is_variance = variance,
                              .drop_missing = options.drop_missing,
                              .like = options.like,
                              .separator = separator_of(options.separator),
                              .header = !options.no_header});
  if (!options.no_standardise) leave_out_constant_features(raw);
  note_target(raw);
  print_notes(raw);
  Model model = make_model(options.model, raw);
  for (const std::string& note : notes_on(model, raw, !options.no_standardise)) print_note(note);
  return {std::move(raw), std::move(model)};
}

LoadedData load(const DataOptions& options) {
  const auto [raw, model] = load_raw(options);
  const Standardisation scaling =
      options.no_standardise ? identity_standardisation(raw.x.cols()) : standardisation_of(raw);
  return {scaled(raw, scaling), scaling, !options.no_standardise, fingerprint(raw),
          scaled(model, scaling)};
}

}  // namespace ulisse::cli
