#pragma once

#include <map>
#include <memory>
#include <string>
#include <type_traits>

#include "kernel/opencl/api.h"
#include "kernel/opencl/kernel_source.h"
#include "ulisse/devices.h"

namespace ulisse::opencl {

struct Release {
  void operator()(cl_context x) const { api().clReleaseContext(x); }
  void operator()(cl_command_queue x) const { api().clReleaseCommandQueue(x); }
  void operator()(cl_program x) const { api().clReleaseProgram(x); }
  void operator()(cl_kernel x) const { api().clReleaseKernel(x); }
  void operator()(cl_mem x) const { api().clReleaseMemObject(x); }
};
template <class Handle>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Release>;

// A device with its queue and its compiled programs. Used by one thread at a time.
class OpenDevice {
 public:
  explicit OpenDevice(cl_device_id id);

  const Device& about() const { return about_; }
  cl_command_queue queue() const { return queue_.get(); }

  // For rows with so many sums.
  Layout layout(bool in_double, int sums) const;

  // Of a program that is compiled when it is first asked for.
  Owned<cl_kernel> kernel(const std::string& source, const char* name);

  Owned<cl_mem> buffer(std::size_t bytes) const;
  void write(cl_mem to, const void* from, std::size_t bytes) const;
  void read(void* to, cl_mem from, std::size_t offset, std::size_t bytes) const;

 private:
  cl_program program(const std::string& source);

  cl_device_id id_;
  Device about_;
  Owned<cl_context> context_;
  Owned<cl_command_queue> queue_;
  std::map<std::string, Owned<cl_program>> programs_;
};

// What there is to know of a device.
Device describe(cl_device_id id);
std::string text_of(cl_device_id id, cl_device_info what);

template <class Value>
Value value_of(cl_device_id id, cl_device_info what) {
  Value value{};
  check(api().clGetDeviceInfo(id, what, sizeof(Value), &value, nullptr), "be asked what it is");
  return value;
}

}  // namespace ulisse::opencl
