// Preloaded into a program (LD_PRELOAD), it makes its OpenCL devices fail: DEVICE_FAULT=work has
// work number DEVICE_FAULT_AT refused, DEVICE_FAULT=bits changes the first number that is read from
// a device.

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>

#include <atomic>
#include <cstdlib>
#include <cstring>

namespace {

template <class F>
F real(const char* name) {
  static void* const library = dlopen("libOpenCL.so.1", RTLD_NOW);
  return reinterpret_cast<F>(dlsym(library, name));
}

bool is_fault(const char* kind) {
  const char* const wanted = std::getenv("DEVICE_FAULT");
  return wanted != nullptr && std::strcmp(wanted, kind) == 0;
}

}  // namespace

extern "C" {

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t* offset, const size_t* items, const size_t* group,
                              cl_uint events, const cl_event* wait, cl_event* event) {
  static std::atomic<long> count = 0;
  const char* const at = std::getenv("DEVICE_FAULT_AT");
  if (is_fault("work") && ++count >= std::atol(at)) return CL_OUT_OF_RESOURCES;
  return real<decltype(&clEnqueueNDRangeKernel)>("clEnqueueNDRangeKernel")(
      queue, kernel, dimensions, offset, items, group, events, wait, event);
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                           size_t size, void* to, cl_uint events, const cl_event* wait,
                           cl_event* event) {
  const cl_int status = real<decltype(&clEnqueueReadBuffer)>("clEnqueueReadBuffer")(
      queue, buffer, blocking, offset, size, to, events, wait, event);
  if (is_fault("bits") && size >= sizeof(float)) {
    float number = 0;
    std::memcpy(&number, to, sizeof number);
    number *= 1.1F;
    std::memcpy(to, &number, sizeof number);
  }
  return status;
}
}
