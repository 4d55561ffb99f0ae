// Fits and predictions from Python: ulisse/fit.h and ulisse/predict.h.

#include <fmt/format.h>
#include <pybind11/eigen.h>
#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <optional>

#include "base/json_reader.h"
#include "bindings.h"
#include "data/column_reader.h"
#include "data/text.h"
#include "fit/fit_contents.h"
#include "fit/settings.h"
#include "ulisse/error.h"
#include "ulisse/predict.h"
#include "ulisse/threads.h"

namespace py = pybind11;

namespace ulisse::python {

namespace {

using Json = nlohmann::ordered_json;

// What the columns of x are; levels and first days as a Dataset has them.
struct TableColumns {
  std::vector<std::string> features;
  std::string target;
  std::vector<std::vector<std::string>> levels;
  std::vector<std::string> first_days;
};

// Tells Python how far a fit has come, and hears from it that the user wants it to end. Called
// between rounds, on the thread that called fit(), without the interpreter's lock.
class PythonObserver : public FitObserver {
 public:
  explicit PythonObserver(py::object progress) : progress_(std::move(progress)) {}

  void stage(const std::string& words) override { tell(words, -1, -1); }

  void waiting() override {
    const py::gil_scoped_acquire lock;
    if (error_ || PyErr_CheckSignals() == 0) return;
    error_ = std::make_unique<py::error_already_set>();
    interrupted_ = true;
  }

  void progress(const FitProgress& now) override {
    tell(now.warming_up ? "warm-up" : "sampling", now.iteration, now.draws, now.ess, now.ess_goal);
  }

  bool wants_stop() const override { return interrupted_; }
  bool interrupted() const { return interrupted_; }

  // With the lock: the exception that a signal or the callback has raised, if any.
  void rethrow() {
    if (error_) throw py::error_already_set(*error_);
  }

 private:
  void tell(const std::string& words, long iteration, long draws, double ess = NAN,
            long ess_goal = 0) {
    const py::gil_scoped_acquire lock;
    if (error_) return;
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (!progress_.is_none()) progress_(words, iteration, draws, ess, ess_goal);
    } catch (const py::error_already_set& error) {
      error_ = std::make_unique<py::error_already_set>(error);
      interrupted_ = true;
    }
  }

  py::object progress_;
  std::unique_ptr<py::error_already_set> error_;
  std::atomic<bool> interrupted_ = false;
};

// A name that no other column has.
std::string name_of_noise(const std::vector<std::string>& features, const std::string& target) {
  std::string name = "noise_sd";
  while (name == target || std::find(features.begin(), features.end(), name) != features.end()) {
    name += "_";
  }
  return name;
}

// noise_sd: of each row, or empty where nothing is known of it.
Dataset table_of(const Matrix& x, const Vector& y, const TableColumns& columns,
                 const Vector& noise_sd, bool standardise) {
  Dataset data{.x = x,
               .y = y,
               .features = columns.features,
               .target = columns.target,
               .levels = columns.levels,
               .first_days = columns.first_days};
  if (noise_sd.size() > 0) {
    data.x.conservativeResize(Eigen::NoChange, x.cols() + 1);
    data.x.rightCols(1) = noise_sd;
    data.features.push_back(name_of_noise(columns.features, columns.target));
    if (!data.levels.empty()) data.levels.emplace_back();
    if (!data.first_days.empty()) data.first_days.emplace_back();
    data.known_noise = {.column = x.cols()};
  }
  if (standardise) leave_out_constant_features(data);
  note_target(data);
  return data;
}

ModelOptions model_options(const std::string& kernel, const std::vector<std::string>& priors,
                           const std::vector<std::string>& fixed, const std::string& prior_units,
                           const std::vector<std::string>& trend, double trend_scale) {
  return {.kernel = kernel,
          .priors = priors,
          .fixed = fixed,
          .prior_units = prior_units,
          .trend = trend,
          .trend_scale = trend_scale};
}

// `overrides`: a JSON object of settings by their keys.
Fit make_fit(const Matrix& x, const Vector& y, const TableColumns& columns, const Vector& noise_sd,
             ModelOptions model, bool standardise, const std::string& sampler,
             const std::string& preset, const std::string& overrides, int thread_count,
             std::size_t memory, double time_limit, const py::object& progress) {
  PythonObserver observer(progress);
  std::optional<Fit> made;
  try {
    const py::gil_scoped_release unlocked;
    set_threads(thread_count);
    const Dataset data = table_of(x, y, columns, noise_sd, standardise);
    const Json given = Json::parse(overrides);
    model.priors = priors_of(preset, model.priors);
    made.emplace(ulisse::fit(data, make_model(model, data),
                             {.sampler = sampler,
                              .preset = preset,
                              .settings = read_options(JsonReader(given, "settings"), sampler),
                              .standardise = standardise,
                              .time_limit = time_limit,
                              .memory = memory},
                             &observer));
  } catch (const Interrupted&) {
    observer.rethrow();
    throw;
  }
  if (observer.interrupted() && !progress.is_none()) py::setattr(progress, "fit", py::cast(*made));
  observer.rethrow();
  return *made;
}

// (chains, draws) for each name.
py::dict draws_of(const Fit& fit, const std::vector<std::string>& names) {
  py::dict out;
  if (fit.draws() == 0) return out;
  for (const std::string& name : names) {
    out[py::str(name)] = Matrix(fit.draws_of(name).transpose());
  }
  return out;
}

py::dict files(const Fit& fit) {
  py::dict out;
  for (const auto& [name, content] : files_of(fit)) out[py::str(name)] = py::bytes(content);
  return out;
}

std::string description(const Fit& fit) {
  return fit.contents().json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

py::dict predictions(const Fit& fit, const Matrix& x, const std::vector<double>& quantiles,
                     Index draws, bool latent, Index samples, bool components,
                     const std::string& method, std::size_t memory, std::uint64_t seed,
                     int thread_count) {
  Predictions found;
  {
    const py::gil_scoped_release unlocked;
    set_threads(thread_count);
    found = ulisse::predict(fit, x,
                            {.draws = draws,
                             .quantiles = quantiles,
                             .latent = latent,
                             .samples = samples,
                             .components = components,
                             .method = method,
                             .memory = memory,
                             .seed = seed,
                             .progress = check_signals});
  }
  py::dict out;
  out["mean"] = found.mean;
  out["sd"] = found.sd;
  out["quantiles"] = found.quantiles;
  out["samples"] = found.samples;
  py::dict parts;
  for (const PredictedComponent& part : found.components) {
    parts[py::str(part.name)] = py::make_tuple(part.mean, part.sd);
  }
  out["components"] = parts;
  return out;
}

Matrix covariance(const Fit& fit, const Matrix& x, Index draws, bool latent,
                  const std::string& method, std::size_t memory, int thread_count) {
  const py::gil_scoped_release unlocked;
  set_threads(thread_count);
  return predictive_covariance(fit, x,
                               {.draws = draws,
                                .quantiles = {},
                                .latent = latent,
                                .method = method,
                                .memory = memory,
                                .progress = check_signals});
}

}  // namespace

void check_signals(Index /*draw*/, Index /*point*/) {
  const py::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

void add_fit(py::module_& module) {
  module.def("level_name",
             [](const std::string& text) { return csv::level_name(csv::trimmed(text)); });
  module.def("is_missing", [](const std::string& text) {
    return csv::ColumnReader(csv::ColumnKind::category).is_missing(csv::trimmed(text));
  });
  py::class_<TableColumns>(module, "TableColumns")
      .def(py::init<std::vector<std::string>, std::string, std::vector<std::vector<std::string>>,
                    std::vector<std::string>>(),
           py::arg("features"), py::arg("target"), py::arg("levels"), py::arg("first_days"));
  py::class_<ModelOptions>(module, "ModelOptions")
      .def(py::init(&model_options), py::arg("kernel"), py::arg("priors"), py::arg("fixed"),
           py::arg("prior_units"), py::arg("trend"), py::arg("trend_scale"));
  module.def("fit", &make_fit, py::arg("x"), py::arg("y"), py::arg("columns"), py::arg("noise_sd"),
             py::arg("model"), py::arg("standardise"), py::arg("sampler"), py::arg("preset"),
             py::arg("overrides"), py::arg("threads"), py::arg("memory"), py::arg("time_limit"),
             py::arg("progress"));
  module.def("load_fit", py::overload_cast<const std::string&>(&load_fit), py::arg("folder"));
  module.def("load_fit", py::overload_cast<const std::map<std::string, std::string>&>(&load_fit),
             py::arg("files"));
  py::class_<Fit>(module, "Fit")
      .def("draws", [](const Fit& fit) { return draws_of(fit, fit.parameters()); })
      .def("quantities", [](const Fit& fit) { return draws_of(fit, fit.quantities()); })
      .def("files", &files)
      .def("description", &description)
      .def("summary", [](const Fit& fit) { return summary_json(fit); })
      .def("predict", &predictions, py::arg("x"), py::arg("quantiles"), py::arg("draws"),
           py::arg("latent"), py::arg("samples"), py::arg("components"), py::arg("method"),
           py::arg("memory"), py::arg("seed"), py::arg("threads"))
      .def("covariance", &covariance, py::arg("x"), py::arg("draws"), py::arg("latent"),
           py::arg("method"), py::arg("memory"), py::arg("threads"));
}

}  // namespace ulisse::python
