#include "kernel/opencl/device_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <sstream>

#include "base/option_names.h"
#include "ulisse/error.h"

namespace ulisse {

namespace opencl {

namespace {

std::vector<cl_platform_id> platforms() {
  cl_uint count = 0;
  if (api().clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS || count == 0) return {};
  std::vector<cl_platform_id> ids(count);
  return api().clGetPlatformIDs(count, ids.data(), nullptr) == CL_SUCCESS
             ? ids
             : std::vector<cl_platform_id>();
}

// A driver that fails has no devices.
std::vector<cl_device_id> all_ids() {
  std::vector<cl_device_id> all;
  for (const cl_platform_id platform : platforms()) {
    cl_uint count = 0;
    if (api().clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS) {
      continue;
    }
    std::vector<cl_device_id> ids(count);
    if (api().clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, ids.data(), nullptr) ==
        CL_SUCCESS) {
      all.insert(all.end(), ids.begin(), ids.end());
    }
  }
  return all;
}

bool are_alike(const Device& a, const Device& b) {
  return a.name == b.name && a.platform == b.platform && a.driver == b.driver;
}

[[noreturn]] void refuse(const std::string& which, const std::string& reason) {
  throw InputError(fmt::format("{}: '{}': {}", option_named("devices"), which, reason));
}

// "2", or "2/4": the device, and in how many parts.
struct Wanted {
  std::size_t number = 0, parts = 1;
};

Wanted parse(const std::string& which, const std::string& word) {
  Wanted wanted;
  const auto bar = std::min(word.find('/'), word.size());
  const char *const begin = word.data(), *const end = begin + word.size();
  const auto [after, error] = std::from_chars(begin, begin + bar, wanted.number);
  bool good = error == std::errc() && after == begin + bar;
  if (good && bar < word.size()) {
    const auto [last, wrong] = std::from_chars(begin + bar + 1, end, wanted.parts);
    good = wrong == std::errc() && last == end && wanted.parts >= 2;
  }
  if (!good) refuse(which, "devices have numbers, as in 0 or 0,1, and 0/2 is one as two halves");
  return wanted;
}

std::vector<cl_device_id> parts_of(cl_device_id id, const std::string& which, std::size_t parts) {
  const std::size_t units = value_of<cl_uint>(id, CL_DEVICE_MAX_COMPUTE_UNITS);
  const cl_device_partition_property equally[] = {
      CL_DEVICE_PARTITION_EQUALLY, static_cast<cl_device_partition_property>(units / parts), 0};
  std::vector<cl_device_id> ids(parts);
  cl_uint count = 0;
  if (units / parts == 0 ||
      api().clCreateSubDevices(id, equally, 0, nullptr, &count) != CL_SUCCESS || count < parts) {
    refuse(which, fmt::format("the device has {} units and cannot be cut so", units));
  }
  ids.resize(count);
  check(api().clCreateSubDevices(id, equally, count, ids.data(), nullptr), "be cut into parts");
  ids.resize(parts);
  return ids;
}

std::vector<cl_device_id> named_ids(const std::string& which,
                                    const std::vector<cl_device_id>& all) {
  std::vector<cl_device_id> ids;
  std::istringstream words(which);
  for (std::string word; std::getline(words, word, ',');) {
    const auto [number, parts] = parse(which, word);
    if (number >= all.size()) {
      refuse(which, fmt::format("this machine has {} OpenCL device{}", all.size(),
                                all.size() == 1 ? ", number 0" : "s, from number 0 on"));
    }
    if (parts == 1) {
      ids.push_back(all[number]);
    } else {
      const auto pieces = parts_of(all[number], which, parts);
      ids.insert(ids.end(), pieces.begin(), pieces.end());
    }
  }
  for (const cl_device_id id : ids) {
    if (!are_alike(describe(id), describe(ids.front()))) {
      refuse(which, "devices that work together must be alike, with the same driver");
    }
  }
  return ids;
}

std::vector<cl_device_id> usual_ids(const std::vector<cl_device_id>& all) {
  std::vector<Device> about;
  std::transform(all.begin(), all.end(), std::back_inserter(about), describe);
  const auto found =
      std::find_if(about.begin(), about.end(), [](const Device& d) { return !d.is_processor; });
  if (found == about.end()) return {all.front()};
  std::vector<cl_device_id> ids;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (are_alike(about[k], *found)) ids.push_back(all[k]);
  }
  return ids;
}

// Never destroyed: a driver may have gone before.
struct Chosen {
  std::mutex mutex;
  std::string which;
  std::shared_ptr<DeviceSet> devices;
};
Chosen& chosen() {
  static auto& one = *new Chosen;
  return one;
}

}  // namespace

std::mutex& DeviceSet::mutex() {
  static std::mutex one;
  return one;
}

RowQueue::Rows RowQueue::take(Index most, Index step) {
  const std::lock_guard lock(mutex_);
  // Smaller ones towards the end, so that all devices end together.
  const Index share = devices_ > 1 ? (rows_ - next_) / (2 * devices_) : rows_ - next_;
  const Index wanted = std::max(step, std::min(most, share) / step * step);
  const Rows rows{next_, std::min(wanted, rows_ - next_)};
  next_ += rows.count;
  return rows;
}

void RowQueue::stop() {
  const std::lock_guard lock(mutex_);
  next_ = rows_;
}

std::shared_ptr<DeviceSet> open_devices(const std::string& which) {
  const auto all = all_ids();
  if (all.empty()) {
    throw InputError("OpenCL has no device here: its driver is missing or does not work");
  }
  std::vector<std::shared_ptr<OpenDevice>> opened;
  for (const cl_device_id id : which.empty() ? usual_ids(all) : named_ids(which, all)) {
    opened.push_back(std::make_shared<OpenDevice>(id));
  }
  return std::make_shared<DeviceSet>(std::move(opened));
}

std::shared_ptr<DeviceSet> chosen_devices() {
  Chosen& now = chosen();
  const std::lock_guard lock(now.mutex);
  if (!now.devices) now.devices = open_devices(now.which);
  return now.devices;
}

}  // namespace opencl

std::vector<Device> devices() {
  std::vector<Device> all;
  for (const cl_device_id id : opencl::all_ids()) all.push_back(opencl::describe(id));
  return all;
}

void set_devices(const std::string& which) {
  auto opened = which.empty() ? nullptr : opencl::open_devices(which);
  opencl::Chosen& now = opencl::chosen();
  const std::lock_guard lock(now.mutex);
  now.which = which;
  now.devices = std::move(opened);
}

bool devices_are_named() {
  opencl::Chosen& now = opencl::chosen();
  const std::lock_guard lock(now.mutex);
  return !now.which.empty();
}

}  // namespace ulisse
