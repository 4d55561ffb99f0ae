#include "kernel/opencl/api.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <optional>

#include "ulisse/error.h"

namespace ulisse::opencl {

namespace {

constexpr const char* kLibrary = "libOpenCL.so.1";

// Those of a library that was preloaded come first: tools that look for errors work that way.
template <class Function>
bool find(void* library, const char* name, Function& function) {
  void* address = dlsym(RTLD_DEFAULT, name);
  if (address == nullptr) address = dlsym(library, name);
  function = reinterpret_cast<Function>(address);
  return address != nullptr;
}

std::optional<Api> load() {
  void* library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return {};
  Api api;
  bool all = true;
#define ULISSE_OPENCL_FIND(name) all = find(library, #name, api.name) && all;
  ULISSE_OPENCL_FUNCTIONS(ULISSE_OPENCL_FIND)
#undef ULISSE_OPENCL_FIND
  return all ? std::optional(api) : std::nullopt;
}

}  // namespace

const Api& api() {
  static const std::optional<Api> found = load();
  if (!found) {
    throw InputError(
        fmt::format("there is no OpenCL here: {} was not found; Debian has it in "
                    "ocl-icd-libopencl1, and a device needs its driver",
                    kLibrary));
  }
  return *found;
}

void check(cl_int status, const char* what) {
  if (status == CL_SUCCESS) return;
  throw DeviceFailure(fmt::format("the OpenCL device cannot {} (error {})", what, status));
}

}  // namespace ulisse::opencl
