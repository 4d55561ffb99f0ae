// ULISSE's solves, and gradients made of them, on arrays.

#include "ulisse/unbiased.h"

#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <cmath>
#include <vector>

#include "bindings.h"
#include "ulisse/covariance.h"
#include "ulisse/error.h"
#include "ulisse/exact.h"
#include "ulisse/preconditioner.h"
#include "ulisse/stochastic_gradient.h"
#include "ulisse/threads.h"

namespace py = pybind11;

namespace ulisse::python {

namespace {

using Columns = Eigen::Ref<const Matrix, 0, Eigen::OuterStride<>>;
using Column = Eigen::Ref<const Vector>;

std::shared_ptr<const Preconditioner> preconditioner_of(const CovarianceOperator& k, Index rank,
                                                        std::uint64_t seed) {
  return rank == 0 ? nullptr : make_preconditioner(k, {.rank = rank, .seed = seed});
}

// Estimates side by side from one run of CG, and after how many updates each was cut.
py::tuple unbiased_solve(const Columns& x, const Column& b, const Column& psi,
                         const std::string& kernel, const std::string& backend, double q,
                         const std::string& truncation, int estimates, Index rank,
                         std::uint64_t seed, int threads) {
  Matrix found;
  UnbiasedSummary summary;
  {
    const py::gil_scoped_release unlocked;
    set_threads(threads);
    const auto k = make_covariance(parse_kernel(kernel), x, {.backend = backend})->at(psi);
    const auto preconditioner = preconditioner_of(*k, rank, seed);
    const auto rule = parse_truncation(truncation);
    UnbiasedOptions options{.early_stop = q * std::sqrt(static_cast<double>(b.size())),
                            .rule = rule.get()};
    Matrix start = Matrix::Zero(b.size(), 1);
    Rng rng = stream(seed, 0, Purpose::truncation);
    found = unbiased_solve(*k, preconditioner.get(), b, start, {estimates}, options, rng, summary);
  }
  py::dict about;
  about["early_stop"] = summary.columns[0].early_stop;
  about["terms"] = summary.columns[0].terms;
  about["products"] = summary.solve.products;
  about["warning"] = summary.warning();
  return py::make_tuple(found, about);
}

ProbeKind parse_probes(const std::string& name) {
  if (name == "rademacher") return ProbeKind::rademacher;
  if (name == "preconditioned") return ProbeKind::preconditioned;
  throw InputError("probe_kind is rademacher or preconditioned, not " + name);
}

// Gradients of the log likelihood, each with probes of its own and from a cold start.
py::tuple gradient_estimates(const Columns& x, const Column& y, const Column& psi,
                             const std::string& kernel, const std::string& backend, int repeats,
                             int probes, const std::string& probe_kind, double q,
                             const std::string& truncation, double tolerance, Index rank,
                             std::uint64_t seed, int threads) {
  Matrix gradients(psi.size(), repeats);
  std::vector<long> products;
  {
    const py::gil_scoped_release unlocked;
    set_threads(threads);
    const Model model = make_model(parse_kernel(kernel), x.cols());
    const auto covariance = make_covariance(model, x, {.backend = backend});
    StochasticGradientOptions options{.probes = probes, .kind = parse_probes(probe_kind), .q = q};
    if (truncation != "none") options.rule = parse_truncation(truncation);
    options.cg.tolerance = tolerance;
    StochasticGradient gradient(model, *covariance, y, std::move(options));
    gradient.set_preconditioner(preconditioner_of(*covariance->at(psi), rank, seed));
    const Vector prior = model.log_prior(psi).gradient;
    Rng draws = stream(seed, 0, Purpose::probes), cuts = stream(seed, 0, Purpose::truncation);
    for (int i = 0; i < repeats; ++i) {
      gradient.draw_probes(draws);
      gradient.forget_solutions();
      const GradientEstimate estimate = gradient.estimate(psi, cuts);
      gradients.col(i) = estimate.gradient - prior;
      products.push_back(estimate.solves.solve.products);
    }
  }
  return py::make_tuple(gradients, products);
}

py::tuple likelihood_gradient(const Columns& x, const Column& y, const Column& psi,
                              const std::string& kernel, int threads) {
  double value = 0;
  Vector gradient = Vector::Constant(psi.size(), NAN);
  {
    const py::gil_scoped_release unlocked;
    set_threads(threads);
    const ExactPosterior posterior(make_model(parse_kernel(kernel), x.cols()), x, y);
    const LogDensity density = posterior.log_density_and_gradient(psi);
    const ValueAndGradient prior = posterior.model().log_prior(psi);
    value = density.value - prior.value;
    if (!density.rejected()) gradient = density.gradient - prior.gradient;
  }
  return py::make_tuple(value, gradient);
}

}  // namespace

void add_unbiased(py::module_& module) {
  module.def("unbiased_solve", &unbiased_solve, py::arg("x"), py::arg("b"), py::arg("psi"),
             py::arg("kernel"), py::arg("backend"), py::arg("q"), py::arg("truncation"),
             py::arg("estimates"), py::arg("rank"), py::arg("seed"), py::arg("threads"));
  module.def("gradient_estimates", &gradient_estimates, py::arg("x"), py::arg("y"), py::arg("psi"),
             py::arg("kernel"), py::arg("backend"), py::arg("repeats"), py::arg("probes"),
             py::arg("probe_kind"), py::arg("q"), py::arg("truncation"), py::arg("tolerance"),
             py::arg("rank"), py::arg("seed"), py::arg("threads"));
  module.def("likelihood_gradient", &likelihood_gradient, py::arg("x"), py::arg("y"),
             py::arg("psi"), py::arg("kernel"), py::arg("threads"));
}

}  // namespace ulisse::python
