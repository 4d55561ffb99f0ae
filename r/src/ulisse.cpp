// What R calls: lists and matrices in, lists and matrices out. Defaults, checks and words are in R/.

#include <Rcpp.h>

#include <atomic>
#include <cmath>
#include <memory>

#include "ulisse/dataset.h"
#include "ulisse/error.h"
#include "ulisse/fit.h"
#include "ulisse/loo.h"
#include "ulisse/predict.h"
#include "ulisse/threads.h"
#include "ulisse/version.h"

using ulisse::Index;
using FitPointer = Rcpp::XPtr<ulisse::Fit>;

namespace {

// Without RcppEigen: its Eigen need not be the one that the library was compiled with.
Rcpp::NumericVector to_r(const ulisse::Vector& v) { return {v.begin(), v.end()}; }

Rcpp::NumericMatrix to_r(const ulisse::Matrix& m) {
  return Rcpp::NumericMatrix(static_cast<int>(m.rows()), static_cast<int>(m.cols()), m.data());
}

ulisse::Matrix matrix_of(const Rcpp::NumericMatrix& m) {
  return Eigen::Map<const ulisse::Matrix>(m.begin(), m.nrow(), m.ncol());
}

ulisse::Vector vector_of(const Rcpp::NumericVector& v) {
  return Eigen::Map<const ulisse::Vector>(v.begin(), v.size());
}

void check_interrupt(void* /*nothing*/) { R_CheckUserInterrupt(); }

// Ctrl-C, without the jump over C++'s frames that R would make.
bool user_interrupts() { return R_ToplevelExec(check_interrupt, nullptr) == FALSE; }

void end_if_interrupted() {
  if (user_interrupts()) throw Rcpp::internal::InterruptedException();
}

// Asks R between rounds whether the user wants the fit to end, and shows how far it is.
class RObserver : public ulisse::FitObserver {
 public:
  explicit RObserver(bool shows) : shows_(shows) {}

  void stage(const std::string& words) override {
    if (shows_) Rprintf("%s\n", words.c_str());
    look();
  }
  void progress(const ulisse::FitProgress& now) override {
    if (shows_ && now.iteration % 100 == 0) {
      Rprintf("%s: iteration %ld\n", now.warming_up ? "warm-up" : "sampling", now.iteration);
    }
    look();
  }
  void waiting() override { look(); }
  bool wants_stop() const override { return stop_; }

 private:
  void look() {
    if (!stop_ && user_interrupts()) stop_ = true;
  }

  bool shows_;
  std::atomic<bool> stop_ = false;
};

std::vector<std::string> texts(const Rcpp::List& list, const char* name) {
  return Rcpp::as<std::vector<std::string>>(list[name]);
}

ulisse::Dataset table_of(const Rcpp::List& table, bool standardise) {
  ulisse::Dataset data{.x = matrix_of(table["x"]),
                       .y = vector_of(table["y"]),
                       .features = texts(table, "features"),
                       .target = Rcpp::as<std::string>(table["target"]),
                       .first_days = texts(table, "first_days")};
  const Rcpp::List levels = table["levels"];
  for (R_xlen_t j = 0; j < levels.size(); ++j) {
    data.levels.push_back(Rcpp::as<std::vector<std::string>>(levels[j]));
  }
  const int noise = Rcpp::as<int>(table["noise"]);
  if (noise > 0) data.known_noise = ulisse::KnownNoise{.column = noise - 1};
  if (standardise) ulisse::leave_out_constant_features(data);
  ulisse::note_target(data);
  return data;
}

// R has one type for all numbers: those that are whole go as such.
ulisse::OptionValue setting(SEXP value, const std::string& key) {
  if (Rf_length(value) == 1 && TYPEOF(value) == LGLSXP) return Rcpp::as<bool>(value);
  if (Rf_length(value) == 1 && TYPEOF(value) == STRSXP) return Rcpp::as<std::string>(value);
  if (Rf_length(value) == 1 && (TYPEOF(value) == REALSXP || TYPEOF(value) == INTSXP)) {
    const double number = Rcpp::as<double>(value);
    if (std::floor(number) == number && std::abs(number) < 9e15) return static_cast<long>(number);
    return number;
  }
  throw ulisse::InputError(key + " must be one number, text, TRUE or FALSE");
}

ulisse::OptionValues settings_of(const Rcpp::List& list) {
  ulisse::OptionValues settings;
  if (list.size() == 0) return settings;
  const Rcpp::CharacterVector names = list.names();
  for (R_xlen_t i = 0; i < list.size(); ++i) {
    const auto key = Rcpp::as<std::string>(names[i]);
    settings[key] = setting(list[i], key);
  }
  return settings;
}

ulisse::PredictOptions predict_options(const Rcpp::List& options) {
  return {.draws = Rcpp::as<int>(options["draws"]),
          .quantiles = Rcpp::as<std::vector<double>>(options["quantiles"]),
          .latent = Rcpp::as<bool>(options["latent"]),
          .samples = Rcpp::as<int>(options["samples"]),
          .components = Rcpp::as<bool>(options["components"]),
          .method = Rcpp::as<std::string>(options["method"]),
          .seed = static_cast<std::uint64_t>(Rcpp::as<double>(options["seed"])),
          .progress = [](Index, Index) { end_if_interrupted(); }};
}

ulisse::LooOptions loo_options(double draws, const std::string& method, double seed) {
  return {.draws = static_cast<Index>(draws),
          .method = method,
          .seed = static_cast<std::uint64_t>(seed),
          .progress = [](Index) { end_if_interrupted(); }};
}

Rcpp::List matrices(const ulisse::Fit& fit, const std::vector<std::string>& names) {
  Rcpp::List out(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) out[i] = to_r(fit.draws_of(names[i]));
  out.names() = Rcpp::wrap(names);
  return out;
}

}  // namespace

// [[Rcpp::export]]
std::string core_version() { return ulisse::version(); }

// [[Rcpp::export]]
bool core_is_null(SEXP pointer) { return R_ExternalPtrAddr(pointer) == nullptr; }

// [[Rcpp::export]]
SEXP core_fit(Rcpp::List table, Rcpp::List model, Rcpp::List options) {
  ulisse::set_threads(Rcpp::as<int>(options["threads"]));
  const bool standardise = Rcpp::as<bool>(options["standardise"]);
  const ulisse::Dataset data = table_of(table, standardise);
  const auto preset = Rcpp::as<std::string>(options["preset"]);
  const ulisse::ModelOptions words{.kernel = Rcpp::as<std::string>(model["kernel"]),
                                   .priors = ulisse::priors_of(preset, texts(model, "priors")),
                                   .fixed = texts(model, "fixed"),
                                   .prior_units = Rcpp::as<std::string>(model["prior_units"]),
                                   .trend = texts(model, "trend"),
                                   .trend_scale = Rcpp::as<double>(model["trend_scale"])};
  RObserver observer(Rcpp::as<bool>(options["progress"]));
  ulisse::Fit made = ulisse::fit(
      data, ulisse::make_model(words, data),
      {.sampler = Rcpp::as<std::string>(options["sampler"]),
       .preset = preset,
       .settings = settings_of(options["settings"]),
       .standardise = standardise,
       .time_limit = Rcpp::as<double>(options["time_limit"]),
       .memory = static_cast<std::size_t>(Rcpp::as<double>(options["memory"]))},
      &observer);
  return FitPointer(new ulisse::Fit(std::move(made)));
}

// [[Rcpp::export]]
SEXP core_load(std::string folder) { return FitPointer(new ulisse::Fit(ulisse::load_fit(folder))); }

// [[Rcpp::export]]
SEXP core_load_files(Rcpp::List files) {
  std::map<std::string, std::string> contents;
  const Rcpp::CharacterVector names = files.names();
  for (R_xlen_t i = 0; i < files.size(); ++i) {
    const Rcpp::RawVector bytes = files[i];
    contents[Rcpp::as<std::string>(names[i])] = std::string(bytes.begin(), bytes.end());
  }
  return FitPointer(new ulisse::Fit(ulisse::load_fit(contents)));
}

// [[Rcpp::export]]
Rcpp::List core_files(SEXP fit) {
  Rcpp::List out;
  for (const auto& [name, content] : ulisse::files_of(*FitPointer(fit))) {
    out[name] = Rcpp::RawVector(content.begin(), content.end());
  }
  return out;
}

// [[Rcpp::export]]
void core_save(SEXP fit, std::string folder) { ulisse::save_fit(*FitPointer(fit), folder); }

// [[Rcpp::export]]
Rcpp::List core_about(SEXP pointer) {
  const ulisse::Fit& fit = *FitPointer(pointer);
  const auto end = fit.end();
  return Rcpp::List::create(
      Rcpp::Named("sampler") = fit.sampler(), Rcpp::Named("status") = fit.status(),
      Rcpp::Named("notes") = fit.notes(), Rcpp::Named("parameters") = fit.parameters(),
      Rcpp::Named("quantities") = fit.quantities(),
      Rcpp::Named("chains") = static_cast<int>(fit.chains()),
      Rcpp::Named("draws") = static_cast<double>(fit.draws()),
      Rcpp::Named("interrupted") = end == ulisse::FitEnd::interrupted,
      Rcpp::Named("out_of_time") = end == ulisse::FitEnd::out_of_time);
}

// [[Rcpp::export]]
Rcpp::List core_draws(SEXP pointer) {
  const ulisse::Fit& fit = *FitPointer(pointer);
  return Rcpp::List::create(Rcpp::Named("quantities") = matrices(fit, fit.quantities()),
                            Rcpp::Named("parameters") = matrices(fit, fit.parameters()));
}

// [[Rcpp::export]]
std::string core_summary_text(SEXP fit) { return ulisse::summary_text(*FitPointer(fit)); }

// [[Rcpp::export]]
std::string core_summary_json(SEXP fit) { return ulisse::summary_json(*FitPointer(fit)); }

// [[Rcpp::export]]
void core_report(SEXP fit, std::string file) { ulisse::write_report(*FitPointer(fit), file); }

// [[Rcpp::export]]
Rcpp::List core_predict(SEXP fit, Rcpp::NumericMatrix x, Rcpp::List options) {
  ulisse::set_threads(Rcpp::as<int>(options["threads"]));
  const ulisse::Predictions found = ulisse::predict(*FitPointer(fit), matrix_of(x), predict_options(options));
  Rcpp::List parts;
  for (const auto& part : found.components) {
    parts[part.name] = Rcpp::List::create(Rcpp::Named("mean") = to_r(part.mean),
                                          Rcpp::Named("sd") = to_r(part.sd));
  }
  return Rcpp::List::create(Rcpp::Named("mean") = to_r(found.mean), Rcpp::Named("sd") = to_r(found.sd),
                            Rcpp::Named("quantiles") = to_r(found.quantiles),
                            Rcpp::Named("samples") = to_r(found.samples),
                            Rcpp::Named("components") = parts,
                            Rcpp::Named("method") = found.method);
}

// [[Rcpp::export]]
Rcpp::List core_loo(SEXP fit, double draws, std::string method, double seed, int threads) {
  ulisse::set_threads(threads);
  const ulisse::Loo found = ulisse::loo(*FitPointer(fit), loo_options(draws, method, seed));
  return Rcpp::List::create(
      Rcpp::Named("log_density") = to_r(found.log_density), Rcpp::Named("r_eff") = to_r(found.relative_ess),
      Rcpp::Named("mean") = to_r(found.mean), Rcpp::Named("sd") = to_r(found.sd),
      Rcpp::Named("below") = to_r(found.below), Rcpp::Named("elpd") = to_r(found.elpd),
      Rcpp::Named("pareto_k") = to_r(found.pareto_k), Rcpp::Named("method") = found.method,
      Rcpp::Named("elpd_error") = found.elpd_error);
}

// [[Rcpp::export]]
Rcpp::NumericVector core_evidence(SEXP fit, double draws, double seed, int threads) {
  ulisse::set_threads(threads);
  const ulisse::Evidence found = ulisse::evidence(*FitPointer(fit), loo_options(draws, "exact", seed));
  return Rcpp::NumericVector::create(Rcpp::Named("log_evidence") = found.log.value,
                                     Rcpp::Named("se") = found.log.error,
                                     Rcpp::Named("pareto_k") = found.pareto_k);
}
