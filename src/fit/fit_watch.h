#pragma once

#include <atomic>
#include <string>
#include <thread>

#include "base/clock.h"
#include "base/watch.h"
#include "ulisse/fit.h"

namespace ulisse {

// A fit's set-up in the eyes of its observer: the stages, and how far each of them is. An interrupt
// stops it at once.
class SetupProgress : public Watch {
 public:
  explicit SetupProgress(FitObserver& observer) : observer_(observer) {}

  void stage(const std::string& words) {
    stage_ = words;
    tell(words);
    if (observer_.wants_stop()) throw WorkStopped();
  }

  bool wants_stop() const override { return observer_.wants_stop(); }
  bool wants_words() const override { return seconds_now() - last_ > kSecondsBetweenWords; }
  void show(const std::string& words) override {
    tell(stage_.empty() ? words : stage_ + ": " + words);
  }

 private:
  // As often as a terminal's line is redrawn.
  static constexpr double kSecondsBetweenWords = 0.1;

  void tell(const std::string& words) {
    last_ = seconds_now();
    observer_.stage(words);
  }

  FitObserver& observer_;
  std::string stage_;
  double last_ = 0;
};

// Chains that draw. After an interrupt the round that is under way may end by itself, so that
// nothing is lost, but only if it ends soon. Shared by the threads of all chains.
class SamplingWatch : public Watch {
 public:
  explicit SamplingWatch(FitObserver& observer) : observer_(observer) {}

  bool wants_stop() const override {
    const double now = seconds_now();
    if (std::this_thread::get_id() == thread_) let_listen(now);
    if (!observer_.wants_stop()) return false;
    double seen_at = 0;
    if (interrupt_seen_at_.compare_exchange_strong(seen_at, now)) return false;
    return now - seen_at > kSecondsOfPatience;
  }
  bool listens() const override { return false; }
  bool wants_words() const override { return false; }
  void show(const std::string& /*words*/) override {}

  // Rounds are a quarter of a second where iterations are short.
  static constexpr double kSecondsOfPatience = 0.75;

 private:
  void let_listen(double now) const {
    constexpr double kSecondsBetween = 0.2;
    if (now - listened_at_ < kSecondsBetween) return;
    listened_at_ = now;
    observer_.waiting();
  }

  FitObserver& observer_;
  std::thread::id thread_ = std::this_thread::get_id();
  mutable double listened_at_ = 0;  // of that thread alone
  mutable std::atomic<double> interrupt_seen_at_ = 0;
};

}  // namespace ulisse
