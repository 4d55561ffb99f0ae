// Diagnostics on arrays of draws.

#include "ulisse/diagnose.h"

#include <pybind11/eigen.h>

#include "bindings.h"

namespace py = pybind11;

namespace ulisse::python {

namespace {

// draws: (draws, chains)
py::tuple psrf(const Eigen::Ref<const Matrix, 0, Eigen::OuterStride<>>& draws, double confidence,
               bool discard_half) {
  const diagnose::Psrf found =
      diagnose::psrf(draws, {.confidence = confidence, .discard_half = discard_half});
  return py::make_tuple(found.estimate, found.upper);
}

}  // namespace

void add_diagnose(py::module_& module) {
  module.def("psrf", &psrf, py::arg("draws"), py::arg("confidence"), py::arg("discard_half"));
}

}  // namespace ulisse::python
