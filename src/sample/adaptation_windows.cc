#include "sample/adaptation_windows.h"

namespace ulisse {

namespace {

constexpr int kFirstStretch = 75, kFirstWindow = 25, kLastStretch = 50;
constexpr int kMinWarmup = 20;  // below it no covariance is estimated

}  // namespace

// Warm-ups too short for these lengths are cut in the shares 15, 75 and 10 %.
AdaptationWindows::AdaptationWindows(int warmup) {
  const bool is_short = warmup < kFirstStretch + kFirstWindow + kLastStretch;
  begin_ = is_short ? warmup * 15 / 100 : kFirstStretch;
  end_ = warmup - (is_short ? warmup / 10 : kLastStretch);
  length_ = is_short ? end_ - begin_ : kFirstWindow;
  if (warmup < kMinWarmup) end_ = begin_;
  last_ = begin_ + length_ - 1;
  stretch();
}

void AdaptationWindows::open_next() {
  length_ *= 2;
  last_ += length_;
  stretch();
}

// The next window would be twice as long.
void AdaptationWindows::stretch() {
  if (last_ + 2 * length_ >= end_) last_ = end_ - 1;
}

}  // namespace ulisse
