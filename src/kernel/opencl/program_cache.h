#pragma once

#include <string>

#include "kernel/opencl/device.h"

namespace ulisse::opencl {

// Compiled programs in the user's folder for caches, $XDG_CACHE_HOME/ulisse or ~/.cache/ulisse. The
// key has all that a program depends on. What cannot be read or written is left: programs are
// compiled then.
Owned<cl_program> program_from_cache(cl_context context, cl_device_id device,
                                     const std::string& key, const char* options);
void put_in_cache(cl_program program, const std::string& key);

// What the compiler says of a program.
std::string build_log(cl_program program, cl_device_id device);

}  // namespace ulisse::opencl
