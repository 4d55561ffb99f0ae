#include "distribute/thread_team.h"

#include <cstring>
#include <stdexcept>

namespace ulisse {

// Where all meet: nobody goes on before all are there.
struct ThreadTeam::Meeting {
  explicit Meeting(int count) : size(count), places(static_cast<std::size_t>(count)) {}

  void meet() {
    std::unique_lock lock(mutex);
    if (!failure.empty()) throw std::runtime_error(failure);
    const long now = turn;
    if (++here == size) {
      here = 0;
      ++turn;
      changed.notify_all();
      return;
    }
    changed.wait(lock, [&] { return turn != now || !failure.empty(); });
    if (turn == now) throw std::runtime_error(failure);
  }

  void fail(const std::string& sentence) {
    const std::lock_guard lock(mutex);
    if (failure.empty()) failure = sentence;
    changed.notify_all();
  }

  struct Place {
    void* data = nullptr;
    std::string text;
  };

  std::mutex mutex;
  std::condition_variable changed;
  int size, here = 0;
  long turn = 0;
  std::string failure;
  std::vector<Place> places;  // each belongs to its member between two meetings
};

class ThreadTeam::Member : public Team {
 public:
  Member(Meeting& meeting, int rank) : meeting_(meeting), rank_(rank) {}
  int size() const override { return meeting_.size; }
  int rank() const override { return rank_; }

  void broadcast(void* data, std::size_t bytes) override {
    place().data = data;
    meeting_.meet();
    if (rank_ > 0) std::memcpy(data, meeting_.places[0].data, bytes);
    count(bytes);
    meeting_.meet();
  }

  // From the last one on: not in the order of ranks.
  void sum(double* values, std::size_t count_of_values) override {
    place().data = values;
    meeting_.meet();
    for (auto other = meeting_.places.size() - 1; rank_ == 0 && other > 0; --other) {
      const auto* added = static_cast<const double*>(meeting_.places[other].data);
      for (std::size_t i = 0; i < count_of_values; ++i) values[i] += added[i];
    }
    count(count_of_values * sizeof(double));
    meeting_.meet();
  }

  std::vector<std::string> gather(const std::string& text) override {
    place().text = text;
    meeting_.meet();
    std::vector<std::string> all;
    for (const auto& each : meeting_.places) {
      if (rank_ == 0) all.push_back(each.text);
    }
    meeting_.meet();
    return all;
  }

  [[noreturn]] void abort(const std::string& sentence, int /*code*/) override {
    meeting_.fail(sentence);
    throw std::runtime_error(sentence);
  }

  Traffic traffic() const override { return traffic_; }

 private:
  Meeting::Place& place() { return meeting_.places[static_cast<std::size_t>(rank_)]; }
  void count(std::size_t bytes) {
    const std::size_t others = rank_ == 0 ? meeting_.places.size() - 1 : 1;
    traffic_.bytes += static_cast<double>(bytes * others);
  }

  Meeting& meeting_;
  int rank_;
  Traffic traffic_;
};

ThreadTeam::ThreadTeam(int size, const std::function<void(Team&)>& serve)
    : meeting_(std::make_unique<Meeting>(size)) {
  for (int rank = 0; rank < size; ++rank) {
    members_.push_back(std::make_unique<Member>(*meeting_, rank));
  }
  for (int rank = 1; rank < size; ++rank) {
    threads_.emplace_back([serve, member = members_[static_cast<std::size_t>(rank)].get()] {
      try {
        serve(*member);
      } catch (const std::exception&) {  // all know of it
      }
    });
  }
}

ThreadTeam::~ThreadTeam() {
  for (std::thread& thread : threads_) thread.join();
}

Team& ThreadTeam::leader() { return *members_[0]; }

}  // namespace ulisse
