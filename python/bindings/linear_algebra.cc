// Products, solves and likelihoods on arrays.

#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include "bindings.h"
#include "ulisse/covariance.h"
#include "ulisse/exact.h"
#include "ulisse/preconditioner.h"
#include "ulisse/solve.h"
#include "ulisse/threads.h"

namespace py = pybind11;

namespace ulisse::python {

namespace {

// Arrays in Fortran order are read where they are.
using Columns = Eigen::Ref<const Matrix, 0, Eigen::OuterStride<>>;
using Column = Eigen::Ref<const Vector>;

Matrix covariance_product(const Columns& x, const Columns& v, const Column& psi,
                          const std::string& kernel, const std::string& backend, int threads) {
  const py::gil_scoped_release unlocked;
  set_threads(threads);
  Matrix product(v.rows(), v.cols());
  make_covariance(parse_kernel(kernel), x, {.backend = backend})->at(psi)->apply(v, product);
  return product;
}

py::tuple solve(const Columns& x, const Columns& b, const Column& psi, const std::string& kernel,
                const std::string& backend, double tolerance, Index rank, std::uint64_t seed,
                int threads) {
  Matrix solution = Matrix::Zero(b.rows(), b.cols());
  SolveSummary summary;
  {
    const py::gil_scoped_release unlocked;
    set_threads(threads);
    const auto covariance = make_covariance(parse_kernel(kernel), x, {.backend = backend});
    const auto k = covariance->at(psi);
    std::unique_ptr<LowRankPreconditioner> preconditioner;
    if (rank > 0) {
      preconditioner = std::make_unique<LowRankPreconditioner>(
          pivoted_cholesky(*k, {.rank = rank, .seed = seed}), k->parameters().lambda);
    }
    summary = conjugate_gradients(*k, preconditioner.get(), b, solution,
                                  {.tolerance = 0, .relative_tolerance = tolerance});
  }
  py::dict about;
  about["stop"] = to_string(summary.stop);
  about["iterations"] = summary.iterations;
  about["products"] = summary.products;
  about["residual"] = summary.residual;
  about["message"] = summary.message;
  return py::make_tuple(solution, about);
}

double log_marginal_likelihood(const Columns& x, const Column& y, const Column& psi,
                               const std::string& kernel, int threads) {
  const py::gil_scoped_release unlocked;
  set_threads(threads);
  const ExactPosterior posterior(make_model(parse_kernel(kernel), x.cols()), x, y);
  return posterior.log_likelihood(psi).value;
}

}  // namespace

void add_linear_algebra(py::module_& module) {
  module.def("covariance_product", &covariance_product, py::arg("x"), py::arg("v"), py::arg("psi"),
             py::arg("kernel"), py::arg("backend"), py::arg("threads"));
  module.def("solve", &solve, py::arg("x"), py::arg("b"), py::arg("psi"), py::arg("kernel"),
             py::arg("backend"), py::arg("tolerance"), py::arg("rank"), py::arg("seed"),
             py::arg("threads"));
  module.def("log_marginal_likelihood", &log_marginal_likelihood, py::arg("x"), py::arg("y"),
             py::arg("psi"), py::arg("kernel"), py::arg("threads"));
}

}  // namespace ulisse::python
