#include "kernel/opencl/device.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernel/opencl/program_cache.h"

namespace ulisse::opencl {

namespace {

// Never -cl-fast-relaxed-math, nor its parts: it takes away what keeps the exponential right.
constexpr const char* kBuildOptions = "-cl-std=CL1.2";

std::string platform_text(cl_platform_id platform, cl_platform_info what) {
  std::size_t size = 0;
  check(api().clGetPlatformInfo(platform, what, 0, nullptr, &size), "be asked what drives it");
  std::string text(size, '\0');
  check(api().clGetPlatformInfo(platform, what, size, text.data(), nullptr),
        "be asked what drives it");
  return text.c_str();
}

int whole(cl_device_id id, cl_device_info what) {
  return static_cast<int>(value_of<cl_uint>(id, what));
}

// Powers of two up to 16.
int lanes_of(int native) {
  int lanes = 1;
  while (2 * lanes <= std::min(native, 16)) lanes *= 2;
  return lanes;
}

std::string key_of(cl_device_id id, const Device& about, const std::string& source) {
  const auto platform = value_of<cl_platform_id>(id, CL_DEVICE_PLATFORM);
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}", about.name, about.driver, about.platform,
                     platform_text(platform, CL_PLATFORM_VERSION), text_of(id, CL_DEVICE_VERSION),
                     kBuildOptions, source);
}

}  // namespace

std::string text_of(cl_device_id id, cl_device_info what) {
  std::size_t size = 0;
  check(api().clGetDeviceInfo(id, what, 0, nullptr, &size), "be asked what it is");
  std::string text(size, '\0');
  check(api().clGetDeviceInfo(id, what, size, text.data(), nullptr), "be asked what it is");
  text = text.c_str();
  const auto first = text.find_first_not_of(' ');  // some drivers pad names
  return first == std::string::npos ? ""
                                    : text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

Device describe(cl_device_id id) {
  Device about;
  about.name = text_of(id, CL_DEVICE_NAME);
  about.platform =
      platform_text(value_of<cl_platform_id>(id, CL_DEVICE_PLATFORM), CL_PLATFORM_NAME);
  about.driver = text_of(id, CL_DRIVER_VERSION);
  about.units = whole(id, CL_DEVICE_MAX_COMPUTE_UNITS);
  about.memory_bytes = value_of<cl_ulong>(id, CL_DEVICE_GLOBAL_MEM_SIZE);
  about.in_double = text_of(id, CL_DEVICE_EXTENSIONS).find("cl_khr_fp64") != std::string::npos;
  about.is_processor = (value_of<cl_device_type>(id, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU) != 0;
  return about;
}

OpenDevice::OpenDevice(cl_device_id id) : id_(id), about_(describe(id)) {
  cl_int status = CL_SUCCESS;
  context_.reset(api().clCreateContext(nullptr, 1, &id_, nullptr, nullptr, &status));
  check(status, "be opened");
  queue_.reset(api().clCreateCommandQueue(context_.get(), id_, 0, &status));
  check(status, "be given work");
}

// A processor's vectors take rows side by side, and what its work-items share is in its cache
// anyway. Others have threads for it: two rows in each hide latencies, where registers are enough.
Layout OpenDevice::layout(bool in_double, int sums) const {
  const auto fused = value_of<cl_device_fp_config>(
      id_, in_double ? CL_DEVICE_DOUBLE_FP_CONFIG : CL_DEVICE_SINGLE_FP_CONFIG);
  Layout layout{.lanes = sums <= 16 ? 2 : 1, .group = 64, .fused = (fused & CL_FP_FMA) != 0};
  if (about_.is_processor) {
    layout.lanes = lanes_of(whole(id_, in_double ? CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE
                                                 : CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT));
    layout.group = 1;
  }
  return layout;
}

Owned<cl_kernel> OpenDevice::kernel(const std::string& source, const char* name) {
  cl_int status = CL_SUCCESS;
  Owned<cl_kernel> kernel(api().clCreateKernel(program(source), name, &status));
  check(status, "take its program");
  return kernel;
}

cl_program OpenDevice::program(const std::string& source) {
  Owned<cl_program>& known = programs_[source];
  if (known) return known.get();
  const std::string key = key_of(id_, about_, source);
  known = program_from_cache(context_.get(), id_, key, kBuildOptions);
  if (known) return known.get();
  cl_int status = CL_SUCCESS;
  const char* text = source.c_str();
  const std::size_t length = source.size();
  Owned<cl_program> program(
      api().clCreateProgramWithSource(context_.get(), 1, &text, &length, &status));
  check(status, "take its program");
  status = api().clBuildProgram(program.get(), 1, &id_, kBuildOptions, nullptr, nullptr);
  if (status != CL_SUCCESS) {
    throw DeviceFailure(fmt::format("the OpenCL compiler of {} fails: {}", about_.name,
                                    build_log(program.get(), id_)));
  }
  put_in_cache(program.get(), key);
  known = std::move(program);
  return known.get();
}

Owned<cl_mem> OpenDevice::buffer(std::size_t bytes) const {
  cl_int status = CL_SUCCESS;
  Owned<cl_mem> buffer(api().clCreateBuffer(context_.get(), CL_MEM_READ_WRITE,
                                            std::max<std::size_t>(bytes, 1), nullptr, &status));
  check(status, "allocate memory");
  return buffer;
}

void OpenDevice::write(cl_mem to, const void* from, std::size_t bytes) const {
  check(api().clEnqueueWriteBuffer(queue(), to, CL_TRUE, 0, bytes, from, 0, nullptr, nullptr),
        "be written to");
}

void OpenDevice::read(void* to, cl_mem from, std::size_t offset, std::size_t bytes) const {
  check(api().clEnqueueReadBuffer(queue(), from, CL_TRUE, offset, bytes, to, 0, nullptr, nullptr),
        "be read from");
}

}  // namespace ulisse::opencl
