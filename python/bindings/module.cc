// ulisse._core: what the Python package is made of. Thin: arrays in, arrays out; defaults, checks
// and words are in Python.

#include "base/option_names.h"
#include "bindings.h"
#include "store/files.h"
#include "ulisse/error.h"
#include "ulisse/threads.h"
#include "ulisse/version.h"

namespace py = pybind11;

PYBIND11_MODULE(_core, module) {
  ulisse::use_option_names(ulisse::OptionNames::python);
  py::register_exception<ulisse::InputError>(module, "InputError", PyExc_ValueError);
  py::register_exception<ulisse::OutputError>(module, "OutputError", PyExc_OSError);
  module.attr("__version__") = ulisse::version();
  module.def("most_threads", &ulisse::most_threads);
  ulisse::python::add_fit(module);
  ulisse::python::add_loo(module);
  ulisse::python::add_linear_algebra(module);
  ulisse::python::add_unbiased(module);
  ulisse::python::add_diagnose(module);
}
