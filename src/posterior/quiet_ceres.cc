#include "posterior/quiet_ceres.h"

#include <glog/logging.h>

#include <mutex>

namespace ulisse {

namespace {

// glog's threshold belongs to the process: the first scope raises it, the last puts it back.
std::mutex mutex;
int scopes = 0;
int level_before = 0;

}  // namespace

QuietCeres::QuietCeres() : counted_(!google::IsGoogleLoggingInitialized()) {
  if (!counted_) return;
  const std::lock_guard lock(mutex);
  if (scopes++ > 0) return;
  level_before = FLAGS_minloglevel;
  FLAGS_minloglevel = google::GLOG_FATAL;
}

QuietCeres::~QuietCeres() {
  if (!counted_) return;
  const std::lock_guard lock(mutex);
  if (--scopes == 0) FLAGS_minloglevel = level_before;
}

}  // namespace ulisse
