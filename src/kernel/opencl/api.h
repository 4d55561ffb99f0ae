#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdexcept>
#include <string>

namespace ulisse::opencl {

// A device, or what drives it, has failed in the middle of the work.
class DeviceFailure : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The functions of OpenCL that are used: name of the member, name of the function.
#define ULISSE_OPENCL_FUNCTIONS(F) \
  F(clGetPlatformIDs)              \
  F(clGetPlatformInfo)             \
  F(clGetDeviceIDs)                \
  F(clGetDeviceInfo)               \
  F(clCreateSubDevices)            \
  F(clReleaseDevice)               \
  F(clCreateContext)               \
  F(clReleaseContext)              \
  F(clCreateCommandQueue)          \
  F(clReleaseCommandQueue)         \
  F(clCreateProgramWithSource)     \
  F(clCreateProgramWithBinary)     \
  F(clBuildProgram)                \
  F(clGetProgramInfo)              \
  F(clGetProgramBuildInfo)         \
  F(clReleaseProgram)              \
  F(clCreateKernel)                \
  F(clSetKernelArg)                \
  F(clReleaseKernel)               \
  F(clCreateBuffer)                \
  F(clReleaseMemObject)            \
  F(clEnqueueWriteBuffer)          \
  F(clEnqueueReadBuffer)           \
  F(clEnqueueNDRangeKernel)        \
  F(clFinish)

struct Api {
#define ULISSE_OPENCL_MEMBER(name) decltype(&::name) name = nullptr;
  ULISSE_OPENCL_FUNCTIONS(ULISSE_OPENCL_MEMBER)
#undef ULISSE_OPENCL_MEMBER
};

// Looked for when it is first asked for, among what the process has loaded, and then where the
// system keeps libraries. Throws InputError where this machine has no OpenCL.
const Api& api();

// Throws DeviceFailure unless status is CL_SUCCESS. `what` completes "the device cannot ...".
void check(cl_int status, const char* what);

}  // namespace ulisse::opencl
