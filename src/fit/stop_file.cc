#include "fit/stop_file.h"

#include <filesystem>

#include "base/clock.h"

namespace ulisse {

StopFile::StopFile(FitObserver& observer, const std::string& folder)
    : observer_(observer), path_(folder + "/stop") {
  std::error_code none;
  std::filesystem::remove(path_, none);
}

// Asked every few milliseconds by several threads: one of them looks, and not so often that a file
// system elsewhere would feel it.
bool StopFile::seen() const {
  constexpr double kSecondsBetween = 0.5;
  if (seen_) return true;
  const std::unique_lock lock(mutex_, std::try_to_lock);
  const double now = seconds_now();
  if (!lock || now - looked_at_ < kSecondsBetween) return false;
  looked_at_ = now;
  std::error_code error;
  if (!std::filesystem::exists(path_, error)) return false;
  std::filesystem::remove(path_, error);
  return seen_ = true;
}

}  // namespace ulisse
