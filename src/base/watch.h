#pragma once

#include <string>

// How long work is watched: it says now and then how far it is, and ends where it is no longer
// wanted. Whoever waits installs a watch for its thread, and whatever runs there finds it, however
// deep: no interface in between has to hand it down. Without a watch nothing is said or stopped.
//
//     class Patient : public Watch { ... };
//     Patient watch;
//     const WatchScope scope(watch);
//     try { solve(); } catch (const WorkStopped&) { ... }
namespace ulisse {

// Thrown out of work that is no longer wanted. No std::exception: nobody in between handles it.
struct WorkStopped {};

class Watch {
 public:
  virtual ~Watch() = default;
  // Asked every few milliseconds; by several threads at once where they share this watch.
  virtual bool wants_stop() const = 0;
  // Whether words are shown at all, and whether they would be now: they are not made otherwise.
  virtual bool listens() const { return true; }
  virtual bool wants_words() const = 0;
  virtual void show(const std::string& words) = 0;
};

// The watch of this thread, or null.
Watch* current_watch();

// Makes `watch` (none where null) that of this thread, as long as it lives. Threads that are to do
// whole pieces of the work, such as chains, install it for themselves.
class WatchScope {
 public:
  explicit WatchScope(Watch* watch);
  explicit WatchScope(Watch& watch) : WatchScope(&watch) {}
  ~WatchScope();
  WatchScope(const WatchScope&) = delete;
  WatchScope& operator=(const WatchScope&) = delete;

 private:
  Watch* outer_;
};

// Throws WorkStopped where this thread's work is no longer wanted. Cheap: for every piece of work
// that takes a millisecond.
void keep_watch();

// A step of the work, "gradient 3 of 18", whose words stand before those of what it consists of.
class WatchStep {
 public:
  WatchStep();
  ~WatchStep();
  WatchStep(const WatchStep&) = delete;
  WatchStep& operator=(const WatchStep&) = delete;

  // keep_watch(), and words() is the step's from now on.
  template <class Words>
  void say(const Words& words) {
    keep_watch();
    const Watch* watch = current_watch();
    if (watch == nullptr || !watch->listens()) return;
    words_ = words();
    show("");
  }

  // Shows the words of this thread's steps, the outermost first, and `words` after them, where they
  // are wanted now: "gradient 3 of 18, iteration 7".
  static void show(const std::string& words);

 private:
  std::string words_;
  WatchStep* outer_;
};

// Shows words(), how far it is, where they are wanted now.
template <class Words>
void report_progress(const Words& words) {
  const Watch* watch = current_watch();
  if (watch != nullptr && watch->wants_words()) WatchStep::show(words());
}

template <class Words>
void keep_watch(const Words& words) {
  keep_watch();
  report_progress(words);
}

}  // namespace ulisse
