#include "kernel/split.h"

#include <mutex>
#include <utility>

namespace ulisse {

namespace {

std::mutex mutex;
Splitter current;

}  // namespace

void set_splitter(Splitter splitter) {
  const std::lock_guard lock(mutex);
  current = std::move(splitter);
}

KernelAt make_kernel(const Backend& backend, const Kernel& kernel, const ConstBlock& x,
                     const CovarianceOptions& options) {
  Splitter splitter;
  {
    const std::lock_guard lock(mutex);
    splitter = current;
  }
  return splitter ? splitter(backend, kernel, x, options) : backend.make(kernel, x, options);
}

}  // namespace ulisse
