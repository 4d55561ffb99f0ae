// Predictions from Python, of a fit's folder.

#include "predict/predict.h"

#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <memory>

#include "bindings.h"
#include "ulisse/threads.h"

namespace py = pybind11;

namespace ulisse::python {

namespace {

// Ctrl-C ends it.
void check_signals() {
  const py::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

// A fit that is ready to predict, so that its folder need not stay.
class Fit {
 public:
  explicit Fit(const std::string& folder) : fit_(load_fit(FitFolder(folder))) {}

  Index training_rows() const { return fit_.data.y.size(); }

  py::dict predict(const Matrix& x, const std::vector<double>& levels, Index draws, bool latent,
                   Index samples, const std::string& method, std::size_t memory, std::uint64_t seed,
                   int thread_count) const {
    Matrix numbers;
    Predictions predictions;
    {
      const py::gil_scoped_release unlocked;
      set_threads(thread_count);
      const auto predictor = make_predictor(fit_.model, fit_.data.x, fit_.data.y,
                                            {.method = method,
                                             .memory = memory,
                                             .seed = seed,
                                             .points = some_rows(fit_.scaling.scale_x(x)),
                                             .latent = latent || samples > 0});
      predictions = ulisse::predict(fit_, x, spread_draws(fit_.psi, draws), *predictor, samples,
                                    seed, [](Index, Index) { check_signals(); });
      const Vector rising =
          Eigen::Map<const Vector>(levels.data(), static_cast<Index>(levels.size()));
      numbers = describe(predictions, rising, latent);
    }
    py::dict out;
    out["mean"] = Vector(numbers.col(0));
    out["sd"] = Vector(numbers.col(1));
    out["quantiles"] = Matrix(numbers.rightCols(numbers.cols() - 2));
    out["samples"] = predictions.samples;
    return out;
  }

  // Of the function, or with noise on the diagonal: within draws and between them, (m, m).
  Matrix covariance(const Matrix& x, Index draws, bool latent, const std::string& method,
                    std::size_t memory, int thread_count) const {
    const py::gil_scoped_release unlocked;
    set_threads(thread_count);
    check_joint_memory("the covariance of " + std::to_string(x.rows()) + " points", x.rows(),
                       fit_.data.x.rows());
    const Matrix scaled = fit_.scaling.scale_x(x);
    // What different points share is of the function, whether there is noise on the diagonal or
    // not.
    const auto predictor = make_predictor(
        fit_.model, fit_.data.x, fit_.data.y,
        {.method = method, .memory = memory, .points = some_rows(scaled), .latent = true});
    const Matrix psi = spread_draws(fit_.psi, draws);
    Matrix sum = Matrix::Zero(x.rows(), x.rows()), means(x.rows(), psi.rows());
    for (Index i = 0; i < psi.rows(); ++i) {
      check_signals();
      predictor->condition(psi.row(i).transpose());
      sum += predictor->covariance(scaled);
      if (!latent) {
        sum.diagonal().array() += fit_.model.noise_variance(psi.row(i).transpose());
      }
      means.col(i) = predictor->moments(scaled).mean;
    }
    means.colwise() -= means.rowwise().mean();
    const auto count = static_cast<double>(psi.rows());
    sum += means * means.transpose();
    // Products are symmetric but for rounding, and a covariance to the last bit.
    const double unit = fit_.scaling.y_sd * fit_.scaling.y_sd / count;
    return 0.5 * unit * (sum + sum.transpose());
  }

 private:
  SavedFit fit_;
};

}  // namespace

void add_predict(py::module_& module) {
  py::class_<Fit>(module, "Fit")
      .def(py::init<const std::string&>(), py::arg("folder"))
      .def_property_readonly("training_rows", &Fit::training_rows)
      .def("predict", &Fit::predict, py::arg("x"), py::arg("levels"), py::arg("draws"),
           py::arg("latent"), py::arg("samples"), py::arg("method"), py::arg("memory"),
           py::arg("seed"), py::arg("threads"))
      .def("covariance", &Fit::covariance, py::arg("x"), py::arg("draws"), py::arg("latent"),
           py::arg("method"), py::arg("memory"), py::arg("threads"));
}

}  // namespace ulisse::python
