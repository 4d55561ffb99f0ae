#pragma once

#include <atomic>
#include <mutex>
#include <string>

#include "ulisse/fit.h"

namespace ulisse {

// A fit's observer that wants it to stop, too, where a file `stop` appears in the fit's folder:
// jobs on other machines have no Ctrl-C. The file is removed when it is seen, and one that is there
// from before is none of this run's.
class StopFile : public FitObserver {
 public:
  StopFile(FitObserver& observer, const std::string& folder);

  void sampler_chosen(const std::string& name, const Reason& reason) override {
    observer_.sampler_chosen(name, reason);
  }
  void stage(const std::string& words) override { observer_.stage(words); }
  void progress(const FitProgress& now) override { observer_.progress(now); }
  void waiting() override { observer_.waiting(); }
  bool wants_stop() const override { return observer_.wants_stop() || seen(); }

 private:
  bool seen() const;

  FitObserver& observer_;
  std::string path_;
  mutable std::mutex mutex_;
  mutable double looked_at_ = 0;
  mutable std::atomic<bool> seen_ = false;
};

}  // namespace ulisse
