// In place of the rest of this folder where the library is built without OpenCL.

#include "kernel/backends.h"
#include "ulisse/devices.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

constexpr const char* kSentence = "this build has no OpenCL; configure it with -DULISSE_OPENCL=ON";

Backend absent(const char* name, bool in_double) {
  return {.name = name,
          .can = {.in_double = in_double, .missing = [] { return std::string(kSentence); }},
          .make = [](const Kernel&, const ConstBlock&, const CovarianceOptions&) -> KernelAt {
            throw InputError(kSentence);
          }};
}

}  // namespace

Backend opencl_backend() { return absent("opencl", true); }
Backend opencl_float_backend() { return absent("opencl-float", false); }

std::vector<Device> devices() { throw InputError(kSentence); }
void set_devices(const std::string& which) {
  if (!which.empty()) throw InputError(kSentence);
}
bool devices_are_named() { return false; }

}  // namespace ulisse
