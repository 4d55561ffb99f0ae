#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "solve/trend_given_data.h"
#include "ulisse/types.h"

namespace ulisse {

// The trend at the psi that a density was last computed for: a chain's draws are among them, and
// their coefficients then take no second factor. Thread-safe.
class TrendMemo {
 public:
  void keep(const ConstVector& psi, const TrendGivenData& trend) {
    auto copy = std::make_shared<const TrendGivenData>(trend);
    const std::scoped_lock lock(mutex_);
    if (kept_.size() * bytes_of(psi, trend) >= kMostBytes) kept_.clear();
    kept_[key(psi)] = std::move(copy);
  }

  // Null where it is not there.
  std::shared_ptr<const TrendGivenData> find(const ConstVector& psi) const {
    const std::scoped_lock lock(mutex_);
    const auto found = kept_.find(key(psi));
    return found == kept_.end() ? nullptr : found->second;
  }

 private:
  // Enough for a round of a quarter of a second on a table of a hundred rows.
  static constexpr std::size_t kMostBytes = std::size_t{32} << 20;

  static std::size_t bytes_of(const ConstVector& psi, const TrendGivenData& trend) {
    const auto q = static_cast<std::size_t>(trend.size());
    return 2 * sizeof(double) * (q * q + 4 * q + static_cast<std::size_t>(psi.size()) + 16);
  }

  static std::vector<double> key(const ConstVector& psi) { return {psi.begin(), psi.end()}; }

  mutable std::mutex mutex_;
  std::map<std::vector<double>, std::shared_ptr<const TrendGivenData>> kept_;
};

}  // namespace ulisse
