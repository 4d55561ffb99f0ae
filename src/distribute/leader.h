#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

#include "distribute/order.h"
#include "distribute/team.h"
#include "kernel/split.h"

namespace ulisse {

// Smaller tables are left to the leader: others would get the right-hand sides when it has
// finished.
inline constexpr Index kLeastRowsToSplit = 3000;

// The side of the leader: what it asks of the others, one order at a time, from any thread.
class Leader {
 public:
  Leader(Team& team, Index least_rows) : team_(team), least_rows_(least_rows) {}

  Index least_rows() const { return least_rows_; }
  std::int64_t new_id();

  // Sends the order, and calls follow(team) for what belongs to it. A pass that was begun is ended,
  // whatever the watch of this thread says, since the others wait for its end.
  void ask(const Order& order, const std::function<void(Team&)>& follow);

  // Of an operator or a kernel that nobody needs any more. Never throws.
  void drop(std::int64_t id) noexcept;

  // The others end. Later orders are none.
  void stop() noexcept;

 private:
  Team& team_;
  Index least_rows_;
  std::mutex mutex_;
  std::int64_t last_id_ = 0;
  bool stopped_ = false;
};

// As long as it lives, operators of this process that can be split are shared with the team.
class Leadership {
 public:
  explicit Leadership(Team& team, Index least_rows = kLeastRowsToSplit);
  ~Leadership();
  Leadership(const Leadership&) = delete;
  Leadership& operator=(const Leadership&) = delete;

 private:
  std::shared_ptr<Leader> leader_;
};

// Operators of a backend that a team shares, where they can be split and n is large enough;
// otherwise those of the backend.
KernelAt shared_kernel(std::shared_ptr<Leader> leader, const Backend& backend, const Kernel& kernel,
                       const ConstBlock& x, const CovarianceOptions& options);

}  // namespace ulisse
