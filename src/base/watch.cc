#include "base/watch.h"

#include <utility>

namespace ulisse {

namespace {

thread_local Watch* watch_here = nullptr;
thread_local WatchStep* innermost_step = nullptr;

}  // namespace

Watch* current_watch() { return watch_here; }

WatchScope::WatchScope(Watch* watch) : outer_(std::exchange(watch_here, watch)) {}
WatchScope::~WatchScope() { watch_here = outer_; }

void keep_watch() {
  if (watch_here != nullptr && watch_here->wants_stop()) throw WorkStopped();
}

WatchStep::WatchStep() : outer_(std::exchange(innermost_step, this)) {}
WatchStep::~WatchStep() { innermost_step = outer_; }

void WatchStep::show(const std::string& words) {
  if (watch_here == nullptr || !watch_here->wants_words()) return;
  std::string text = words;
  for (const WatchStep* step = innermost_step; step != nullptr; step = step->outer_) {
    if (step->words_.empty()) continue;
    text = text.empty() ? step->words_ : step->words_ + ", " + text;
  }
  watch_here->show(text);
}

}  // namespace ulisse
