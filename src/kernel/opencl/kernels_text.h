#pragma once

#include <string_view>

namespace ulisse::opencl {

// kernels.cl, in the library.
std::string_view kernels_text();

}  // namespace ulisse::opencl
