#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "kernel/opencl/device.h"
#include "ulisse/types.h"

namespace ulisse::opencl {

// Rows that devices take piece by piece, each as fast as it can.
class RowQueue {
 public:
  RowQueue(Index rows, Index devices) : rows_(rows), devices_(devices) {}

  // The next rows, [first, first + count): at most `most`, a multiple of `step`, or the last ones.
  // None are left where count is 0.
  struct Rows {
    Index first, count;
  };
  Rows take(Index most, Index step);
  void stop();

 private:
  std::mutex mutex_;
  Index rows_, devices_, next_ = 0;
};

// Like devices that work together. What each row gets does not depend on who computes it.
class DeviceSet {
 public:
  explicit DeviceSet(std::vector<std::shared_ptr<OpenDevice>> devices)
      : devices_(std::move(devices)) {}

  const std::vector<std::shared_ptr<OpenDevice>>& devices() const { return devices_; }
  const Device& about() const { return devices_.front()->about(); }

  // Calls work(number, rows) on a thread for each device, the calling one among them, with the
  // device for itself. Throws what work throws, when all have ended.
  template <class Work>
  void share(Index rows, const Work& work) const {
    const std::lock_guard alone(mutex());
    RowQueue queue(rows, static_cast<Index>(devices_.size()));
    std::vector<std::exception_ptr> errors(devices_.size());
    const auto run = [&](std::size_t number) {
      try {
        work(number, queue);
      } catch (...) {
        errors[number] = std::current_exception();
        queue.stop();
      }
    };
    std::vector<std::jthread> others;
    for (std::size_t number = 1; number < devices_.size(); ++number) {
      others.emplace_back(run, number);
    }
    run(0);
    others.clear();
    for (const auto& error : errors) {
      if (error) std::rethrow_exception(error);
    }
  }

  // Devices are used by one computation at a time, whatever sets they are in.
  static std::mutex& mutex();

 private:
  std::vector<std::shared_ptr<OpenDevice>> devices_;
};

// Those of set_devices(), opened when they are first asked for. Throws InputError.
std::shared_ptr<DeviceSet> chosen_devices();

// Opens the devices that the words of set_devices() name.
std::shared_ptr<DeviceSet> open_devices(const std::string& which);

}  // namespace ulisse::opencl
