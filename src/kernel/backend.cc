#include "ulisse/backend.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <mutex>
#include <optional>
#include <stdexcept>

#include "base/memory.h"
#include "kernel/backends.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

class Registry {
 public:
  void add(Backend backend) {
    const std::lock_guard lock(mutex_);
    const bool taken = backend.name == kAutomaticBackend || find(backend.name) != nullptr;
    if (backend.name.empty() || taken || !backend.make) {
      throw std::invalid_argument(
          fmt::format("a backend '{}' cannot be added: {}", backend.name,
                      taken ? "the name is taken" : "it has no name or nothing that makes it"));
    }
    backends_.push_back(std::move(backend));
  }

  std::optional<Backend> named(const std::string& name) const {
    const std::lock_guard lock(mutex_);
    const Backend* found = find(name);
    return found != nullptr ? std::optional(*found) : std::nullopt;
  }

  std::vector<Backend> all() const {
    const std::lock_guard lock(mutex_);
    return backends_;
  }

 private:
  const Backend* find(const std::string& name) const {
    for (const Backend& backend : backends_) {
      if (backend.name == name) return &backend;
    }
    return nullptr;
  }

  mutable std::mutex mutex_;
  std::vector<Backend> backends_ = {
      reference_backend(), dense_backend(),   dense_float_backend(), cached_backend(),
      kd_tree_backend(),   anchors_backend(), opencl_backend(),      opencl_float_backend()};
};

// Made when it is first asked for: programs may add to it before main().
Registry& registry() {
  static Registry all;
  return all;
}

}  // namespace

void register_backend(Backend backend) { registry().add(std::move(backend)); }

Backend backend_named(const std::string& name) {
  if (auto found = registry().named(name)) return *std::move(found);
  throw InputError(fmt::format("there is no backend '{}'; the backends are {}, {}", name,
                               kAutomaticBackend, fmt::join(covariance_backends(), ", ")));
}

std::string why_missing(const Backend& backend) {
  return backend.can.missing ? backend.can.missing() : "";
}

bool worth_a_trial(const Backend& backend) {
  const bool worth = !backend.can.worth_a_trial || backend.can.worth_a_trial();
  return worth && why_missing(backend).empty();
}

std::vector<std::string> covariance_backends() {
  std::vector<std::string> names;
  for (const Backend& backend : registry().all()) names.push_back(backend.name);
  return names;
}

std::string exact_backend() {
  for (const Backend& backend : registry().all()) {
    const Capabilities& can = backend.can;
    if (can.automatic && can.exact() && !can.kept_bytes) return backend.name;
  }
  throw std::logic_error("no backend is exact");
}

std::size_t memory_budget(const CovarianceOptions& options) {
  return options.memory_bytes > 0 ? options.memory_bytes : machine_memory_bytes() / 2;
}

bool fits_in_memory(const Backend& backend, Index n, const CovarianceOptions& options) {
  return !backend.can.kept_bytes || backend.can.kept_bytes(n) <= memory_budget(options);
}

}  // namespace ulisse
