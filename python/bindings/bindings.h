#pragma once

#include <pybind11/pybind11.h>

#include "ulisse/types.h"

// Each part of the module lives in its own file and adds itself.
namespace ulisse::python {

void add_fit(pybind11::module_& module);
void add_loo(pybind11::module_& module);
void add_linear_algebra(pybind11::module_& module);
void add_unbiased(pybind11::module_& module);
void add_diagnose(pybind11::module_& module);

// Ctrl-C ends long work that calls it, without the interpreter's lock.
void check_signals(Index draw, Index point);

}  // namespace ulisse::python
