// Products, solves and likelihoods on arrays.

#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include "bindings.h"
#include "ulisse/backend.h"
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
                          const std::string& kernel, const std::string& backend,
                          double product_tolerance, int threads) {
  const py::gil_scoped_release unlocked;
  set_threads(threads);
  Matrix product(v.rows(), v.cols());
  make_covariance(parse_kernel(kernel), x, {.backend = backend, .tolerance = product_tolerance})
      ->at(psi)
      ->apply(v, product);
  return product;
}

// A shift above 0 asks for the nested preconditioner K + shift I, whose solves are in float or not.
py::tuple solve(const Columns& x, const Columns& b, const Column& psi, const std::string& kernel,
                const std::string& backend, double tolerance, double absolute_tolerance,
                int max_iterations, double product_tolerance, Index rank, double shift,
                bool shift_in_float, std::uint64_t seed, int threads) {
  Matrix solution = Matrix::Zero(b.rows(), b.cols());
  SolveSummary summary;
  long inner_products = 0;
  {
    const py::gil_scoped_release unlocked;
    set_threads(threads);
    const Model model = make_model(parse_kernel(kernel), x.cols());
    const auto k =
        make_covariance(model, x, {.backend = backend, .tolerance = product_tolerance})->at(psi);
    std::unique_ptr<const CovarianceOperator> in_float;
    std::shared_ptr<const LinearOperator> preconditioner;
    if (rank > 0) preconditioner = make_preconditioner(*k, {.rank = rank, .seed = seed});
    if (shift > 0) {
      if (shift_in_float)
        in_float =
            make_covariance(model, x, {.backend = exact_backend()})->lower_precision()->at(psi);
      // What float can give, or what the outer solve is to have.
      const CgOptions inner{
          .tolerance = 0, .relative_tolerance = shift_in_float ? 1e-6 : 1e-10, .verify = false};
      preconditioner =
          std::make_shared<ShiftedPreconditioner>(in_float ? *in_float : *k, shift, inner);
    }
    summary = conjugate_gradients(*k, preconditioner.get(), b, solution,
                                  {.tolerance = absolute_tolerance,
                                   .relative_tolerance = tolerance,
                                   .max_iterations = max_iterations});
    if (const auto* nested = dynamic_cast<const ShiftedPreconditioner*>(preconditioner.get())) {
      inner_products = nested->inner_products();
    }
  }
  py::dict about;
  about["stop"] = to_string(summary.stop);
  about["iterations"] = summary.iterations;
  about["products"] = summary.products;
  about["inner_products"] = inner_products;
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
             py::arg("kernel"), py::arg("backend"), py::arg("product_tolerance"),
             py::arg("threads"));
  module.def("solve", &solve, py::arg("x"), py::arg("b"), py::arg("psi"), py::arg("kernel"),
             py::arg("backend"), py::arg("tolerance"), py::arg("absolute_tolerance"),
             py::arg("max_iterations"), py::arg("product_tolerance"), py::arg("rank"),
             py::arg("shift"), py::arg("shift_in_float"), py::arg("seed"), py::arg("threads"));
  module.def("log_marginal_likelihood", &log_marginal_likelihood, py::arg("x"), py::arg("y"),
             py::arg("psi"), py::arg("kernel"), py::arg("threads"));
}

}  // namespace ulisse::python
