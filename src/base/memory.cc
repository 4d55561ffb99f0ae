#include "base/memory.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

#include "ulisse/error.h"

namespace ulisse {

std::size_t machine_memory_bytes() {
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

namespace {

// "Key:   1234 kB" in a file of such lines.
std::optional<std::size_t> kilobytes_in(const char* path, const std::string& wanted) {
  std::ifstream info(path);
  for (std::string key; info >> key;
       info.ignore(std::numeric_limits<std::streamsize>::max(), '\n')) {
    std::size_t kilobytes = 0;
    if (key == wanted && info >> kilobytes) return kilobytes;
  }
  return std::nullopt;
}

// What ulimit -v leaves.
std::size_t address_space_left() {
  constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
  const std::size_t used = kilobytes_in("/proc/self/status", "VmSize:").value_or(0) * 1024;
  return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

}  // namespace

std::size_t available_memory_bytes() {
  const auto kilobytes = kilobytes_in("/proc/meminfo", "MemAvailable:");
  const std::size_t free = kilobytes ? *kilobytes * 1024 : machine_memory_bytes();
  return std::min(free, address_space_left());
}

// getrusage counts what the process that started this one had, too.
std::size_t peak_memory_bytes() {
  if (const auto kilobytes = kilobytes_in("/proc/self/status", "VmHWM:")) return *kilobytes * 1024;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

std::size_t bytes_of(double doubles) {
  constexpr double most = 9e18;
  return static_cast<std::size_t>(std::min(most, doubles * sizeof(double)));
}

std::string readable_bytes(std::size_t bytes) {
  constexpr std::array<const char*, 5> units = {"bytes", "kB", "MB", "GB", "TB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1000 && unit + 1 < units.size(); ++unit) value /= 1000;
  return fmt::format("{:.{}f} {}", value, unit == 0 ? 0 : 1, units[unit]);
}

void check_memory(const std::string& what, std::size_t bytes) {
  const std::size_t available = available_memory_bytes();
  if (bytes <= available) return;
  throw InputError(fmt::format("{} needs {} of memory, and {} are available", what,
                               readable_bytes(bytes), readable_bytes(available)));
}

}  // namespace ulisse
