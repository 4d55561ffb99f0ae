#include <fmt/format.h>

#include <map>
#include <mutex>

#include "kernel/backends.h"
#include "kernel/opencl/opencl_operator.h"
#include "kernel/opencl/self_check.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

using opencl::DeviceSet;

constexpr const char* kInFloat = "opencl-float";

// Why the chosen devices cannot be used in T; empty where they can. Each choice is checked once.
template <class T>
std::string missing() {
  try {
    static std::mutex mutex;
    static std::weak_ptr<DeviceSet> checked;
    static std::string found;
    const auto devices = opencl::chosen_devices();
    const std::lock_guard lock(mutex);
    if (checked.lock() != devices) {
      found = opencl::self_check<T>(*devices);
      checked = devices;
    }
    return found;
  } catch (const std::exception& error) {
    return error.what();
  }
}

std::string missing_in_double() {
  try {
    const Device about = opencl::chosen_devices()->about();
    if (!about.in_double) {
      return fmt::format("the OpenCL device {} has no double precision; choose {}", about.name,
                         kInFloat);
    }
  } catch (const std::exception& error) {
    return error.what();
  }
  return missing<double>();
}

template <class T>
KernelAt on_devices(const Kernel& kernel, const ConstBlock& x) {
  return [devices = opencl::chosen_devices(),
          points = std::make_shared<const KernelPoints>(kernel, x)](const ConstVector& psi) {
    return std::make_unique<const opencl::OpenClOperator<T>>(*points, psi, devices);
  };
}

// A processor does the same faster without OpenCL.
bool is_worth_a_trial() {
  try {
    return devices_are_named() || !opencl::chosen_devices()->about().is_processor;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace

Backend opencl_backend() {
  return {.name = "opencl",
          .can = {.automatic = true,
                  .lower_precision = kInFloat,
                  .missing = missing_in_double,
                  .worth_a_trial = is_worth_a_trial},
          .make = [](const Kernel& kernel, const ConstBlock& x, const CovarianceOptions&) {
            return on_devices<double>(kernel, x);
          }};
}

Backend opencl_float_backend() {
  return {.name = kInFloat,
          .can = {.in_double = false, .missing = missing<float>, .worth_a_trial = is_worth_a_trial},
          .make = [](const Kernel& kernel, const ConstBlock& x, const CovarianceOptions&) {
            return on_devices<float>(kernel, x);
          }};
}

}  // namespace ulisse
