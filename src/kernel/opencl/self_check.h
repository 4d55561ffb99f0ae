#pragma once

#include <memory>
#include <string>

#include "kernel/opencl/device_set.h"

namespace ulisse::opencl {

// Products and gradient forms of 500 points on each of the devices, in T, beside the plain
// formulas. Empty where they agree; else a sentence.
template <class T>
std::string self_check(const DeviceSet& devices);

}  // namespace ulisse::opencl
