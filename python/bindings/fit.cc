// Fits from Python: the same run as `ulisse fit`, into the same folder.

#include <fmt/format.h>
#include <pybind11/eigen.h>
#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include <atomic>

#include "base/json_reader.h"
#include "bindings.h"
#include "fit/fit_draws.h"
#include "fit/run_fit.h"
#include "fit/sampler_choice.h"
#include "fit/settings.h"
#include "fit/summary.h"
#include "model/named_priors.h"
#include "report/summary_words.h"
#include "ulisse/error.h"
#include "ulisse/threads.h"

namespace py = pybind11;

namespace ulisse::python {

namespace {

using Json = nlohmann::ordered_json;

// Tells Python how far a fit has come, and hears from it that the user wants it to end. Called
// between rounds, on the thread that called fit(), without the interpreter's lock.
class PythonListener : public FitListener {
 public:
  explicit PythonListener(py::object progress) : progress_(std::move(progress)) {}

  void stage(const std::string& words) override { tell(words, -1, -1); }

  void waiting() override {
    const py::gil_scoped_acquire lock;
    if (error_ || PyErr_CheckSignals() == 0) return;
    error_ = std::make_unique<py::error_already_set>();
    interrupted_ = true;
  }

  void progress(const RunState& state, const std::vector<Matrix>& /*draws*/,
                const FitChains& /*chains*/, const std::vector<ChainNews>& /*news*/) override {
    tell(state.warming_up() ? "warm-up" : "sampling", state.iteration, state.draws());
  }

  const std::atomic<bool>& interrupted() const { return interrupted_; }

  // With the lock: the exception that a signal or the callback has raised, if any.
  void rethrow() {
    if (error_) throw py::error_already_set(*error_);
  }

 private:
  void tell(const std::string& words, long iteration, long draws) {
    const py::gil_scoped_acquire lock;
    if (error_) return;
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (!progress_.is_none()) progress_(words, iteration, draws);
    } catch (const py::error_already_set& error) {
      error_ = std::make_unique<py::error_already_set>(error);
      interrupted_ = true;
    }
  }

  py::object progress_;
  std::unique_ptr<py::error_already_set> error_;
  std::atomic<bool> interrupted_ = false;
};

// What a preset says, but for what the user set: a JSON object with the keys of fit.json's
// "settings".
FitSettings settings_of(const SamplerChoice& choice, const std::string& preset, Index n,
                        const std::string& overrides) {
  FitSettings settings = settings_for(choice.sampler, preset, n);
  const Json given = Json::parse(overrides);
  set_options(read_options(JsonReader(given, "settings"), choice.sampler), settings);
  check(settings);
  check_sizes(settings, n);
  return settings;
}

std::string fit(const Matrix& x, const Vector& y, const std::vector<std::string>& features,
                const std::string& target, const std::string& kernel,
                const std::vector<std::string>& priors, bool standardise,
                const std::string& sampler, const std::string& preset, const std::string& overrides,
                const std::string& folder, int thread_count, std::size_t memory, double time_limit,
                const py::object& progress) {
  PythonListener listener(progress);
  FitEnd end{};
  {
    const py::gil_scoped_release unlocked;
    set_threads(thread_count);
    Dataset raw{.x = x, .y = y, .features = features, .target = target};
    if (standardise) leave_out_constant_features(raw);
    note_two_values(raw);
    const Kernel parsed = parse_kernel(kernel);
    const std::vector<std::string> all_priors = priors_of(preset, priors);
    Model model = make_model(parsed, raw.x.cols(), with_places(all_priors, parsed, raw));
    const SamplerChoice choice = choose_sampler(sampler, preset, raw, model, memory);
    FitSettings settings = settings_of(choice, preset, x.rows(), overrides);
    settings.kernel = kernel;
    settings.priors = all_priors;
    settings.standardise = standardise;
    end = run_fit({.settings = settings,
                   .sampler_reason = choice.reason,
                   .model = std::move(model),
                   .raw = std::move(raw),
                   .out = folder,
                   .force = true,
                   .time_limit = time_limit,
                   .memory = memory},
                  listener, listener.interrupted());
  }
  listener.rethrow();
  return end == FitEnd::complete ? "complete" : "interrupted";
}

// (chains, draws) for each parameter, on its natural scale.
py::dict draws(const std::string& path) {
  const FitFolder folder(path);
  const FitDraws all = read_draws(folder, folder.read_record());
  py::dict out;
  for (std::size_t j = 0; j < all.theta.size(); ++j) {
    out[py::str(all.parameters[j])] = Matrix(all.theta[j].transpose());
  }
  return out;
}

// fit.json, checked.
std::string description(const std::string& path) { return FitFolder(path).read_json().dump(); }

std::string summary(const std::string& path) {
  return summary_json(summarise_fit(FitFolder(path)), OptionNames::python).dump();
}

}  // namespace

void add_fit(py::module_& module) {
  module.def("fit", &fit, py::arg("x"), py::arg("y"), py::arg("features"), py::arg("target"),
             py::arg("kernel"), py::arg("priors"), py::arg("standardise"), py::arg("sampler"),
             py::arg("preset"), py::arg("overrides"), py::arg("folder"), py::arg("threads"),
             py::arg("memory"), py::arg("time_limit"), py::arg("progress"));
  module.def("draws", &draws, py::arg("folder"));
  module.def("description", &description, py::arg("folder"));
  module.def("summary", &summary, py::arg("folder"));
}

}  // namespace ulisse::python
