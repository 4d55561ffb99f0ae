#pragma once

namespace ulisse {

// When warm-up learns the metric (Stan's schedule): a first stretch to find the bulk, then windows
// that double in length, each starting afresh, and a last stretch to settle the step size. The last
// window takes what would be too short for another.
class AdaptationWindows {
 public:
  explicit AdaptationWindows(int warmup);

  // Iterations count from 0.
  bool inside(int iteration) const { return iteration >= begin_ && iteration < end_; }
  bool closes_after(int iteration) const { return inside(iteration) && iteration == last_; }
  void open_next();  // once the current window is closed

  template <class A>
  void archive(A& a) {
    a(last_, length_);
  }

 private:
  void stretch();

  int begin_, end_;  // of all windows together
  int last_;         // iteration of the current window
  int length_;       // of the current window, unless it was stretched to the end
};

}  // namespace ulisse
