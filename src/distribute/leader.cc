#include "distribute/leader.h"

#include <oneapi/tbb/task_arena.h>

#include <exception>
#include <new>
#include <stdexcept>

#include "base/default_threads.h"
#include "base/watch.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

// Shows what there is to show, and stops nothing.
class WordsAlone : public Watch {
 public:
  explicit WordsAlone(Watch& outer) : outer_(outer) {}
  bool wants_stop() const override { return false; }
  bool listens() const override { return outer_.listens(); }
  bool wants_words() const override { return outer_.wants_words(); }
  void show(const std::string& words) override { outer_.show(words); }

 private:
  Watch& outer_;
};

}  // namespace

std::int64_t Leader::new_id() {
  const std::lock_guard lock(mutex_);
  return ++last_id_;
}

// Isolated, since a thread that waits for its tasks must not begin another chain's, which would
// wait for this lock.
void Leader::ask(const Order& order, const std::function<void(Team&)>& follow) {
  keep_watch();
  const std::lock_guard lock(mutex_);
  if (stopped_) throw std::runtime_error("the other processes have ended");
  Watch* const outer = current_watch();
  std::unique_ptr<Watch> words;
  if (outer != nullptr) words = std::make_unique<WordsAlone>(*outer);
  const WatchScope scope(words.get());
  try {
    Order sent = order;
    sent.threads = requested_threads();
    team_.broadcast(&sent, sizeof sent);
    tbb::this_task_arena::isolate([&] { follow(team_); });
  } catch (const InputError& error) {
    stopped_ = true;
    team_.abort(error.what(), 2);
  } catch (const std::bad_alloc&) {
    stopped_ = true;
    team_.abort("out of memory", 1);
  } catch (const std::exception& error) {
    stopped_ = true;
    team_.abort(error.what(), 1);
  }
}

void Leader::drop(std::int64_t id) noexcept {
  try {
    const std::lock_guard lock(mutex_);
    if (stopped_) return;
    Order order{.kind = Order::drop, .id = id, .threads = requested_threads()};
    team_.broadcast(&order, sizeof order);
  } catch (const std::exception&) {  // the next order says so
  }
}

void Leader::stop() noexcept {
  try {
    const std::lock_guard lock(mutex_);
    if (stopped_) return;
    stopped_ = true;
    Order order;
    team_.broadcast(&order, sizeof order);
  } catch (const std::exception&) {  // they have ended already
  }
}

Leadership::Leadership(Team& team, Index least_rows)
    : leader_(std::make_shared<Leader>(team, least_rows)) {
  set_splitter([leader = leader_](const Backend& backend, const Kernel& kernel, const ConstBlock& x,
                                  const CovarianceOptions& options) {
    return shared_kernel(leader, backend, kernel, x, options);
  });
}

Leadership::~Leadership() {
  set_splitter({});
  leader_->stop();
}

}  // namespace ulisse
