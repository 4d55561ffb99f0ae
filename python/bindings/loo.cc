// Leave-one-out from Python: ulisse/loo.h.

#include "ulisse/loo.h"

#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include "bindings.h"
#include "ulisse/threads.h"

namespace py = pybind11;

namespace ulisse::python {

namespace {

LooOptions options_of(Index draws, const std::string& method, std::size_t memory,
                      std::uint64_t seed) {
  return {
      .draws = draws, .method = method, .memory = memory, .seed = seed, .progress = [](Index draw) {
        check_signals(draw, 0);
      }};
}

py::tuple pair(const Estimate& estimate) { return py::make_tuple(estimate.value, estimate.error); }

Loo leave_one_out(const Fit& fit, Index draws, const std::string& method, std::size_t memory,
                  std::uint64_t seed, int thread_count) {
  const py::gil_scoped_release unlocked;
  set_threads(thread_count);
  return loo(fit, options_of(draws, method, memory, seed));
}

py::tuple log_evidence(const Fit& fit, Index draws, std::size_t memory, std::uint64_t seed,
                       int thread_count) {
  Evidence found;
  {
    const py::gil_scoped_release unlocked;
    set_threads(thread_count);
    found = evidence(fit, options_of(draws, "exact", memory, seed));
  }
  return py::make_tuple(found.log.value, found.log.error, found.pareto_k);
}

// (which, difference, its standard error), the best first.
py::list differences(const std::vector<Loo>& fits) {
  py::list out;
  for (const LooDifference& each : compare(fits)) {
    out.append(py::make_tuple(each.which, each.elpd.value, each.elpd.error));
  }
  return out;
}

}  // namespace

void add_loo(py::module_& module) {
  py::class_<Loo>(module, "Loo")
      .def_readonly("observed", &Loo::observed)
      .def_readonly("mean", &Loo::mean)
      .def_readonly("sd", &Loo::sd)
      .def_readonly("below", &Loo::below)
      .def_readonly("elpd", &Loo::elpd)
      .def_readonly("elpd_mcse", &Loo::elpd_mcse)
      .def_readonly("p_loo", &Loo::p_loo)
      .def_readonly("pareto_k", &Loo::pareto_k)
      .def_readonly("relative_ess", &Loo::relative_ess)
      .def_readonly("log_density", &Loo::log_density)
      .def_readonly("draws", &Loo::draws)
      .def_readonly("chains", &Loo::chains)
      .def_readonly("method", &Loo::method)
      .def_readonly("elpd_error", &Loo::elpd_error)
      .def_readonly("good_k", &Loo::good_k)
      .def_property_readonly("bad_rows", &Loo::bad_rows)
      .def("total_elpd", [](const Loo& loo) { return pair(loo.total_elpd()); })
      .def("total_p_loo", [](const Loo& loo) { return pair(loo.total_p_loo()); })
      .def("looic", [](const Loo& loo) { return pair(loo.looic()); });
  module.def("loo", &leave_one_out, py::arg("fit"), py::arg("draws"), py::arg("method"),
             py::arg("memory"), py::arg("seed"), py::arg("threads"));
  module.def("evidence", &log_evidence, py::arg("fit"), py::arg("draws"), py::arg("memory"),
             py::arg("seed"), py::arg("threads"));
  module.def("compare", &differences, py::arg("fits"));
}

}  // namespace ulisse::python
