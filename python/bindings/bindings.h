#pragma once

#include <pybind11/pybind11.h>

// Each part of the module lives in its own file and adds itself.
namespace ulisse::python {

void add_fit(pybind11::module_& module);
void add_linear_algebra(pybind11::module_& module);
void add_unbiased(pybind11::module_& module);
void add_diagnose(pybind11::module_& module);

}  // namespace ulisse::python
