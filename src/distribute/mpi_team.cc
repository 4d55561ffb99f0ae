// The only file that knows MPI.

#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "base/clock.h"
#include "base/default_threads.h"
#include "base/printable.h"
#include "distribute/launch.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

// MPI counts with int.
constexpr std::size_t kMostAtOnce = std::size_t(1) << 27;

// A worker's part of a pass takes as long as the leader's, or hours where it runs on one core
// beside 64: the limit is for those that will never end.
double patience_seconds() {
  const char* text = std::getenv("ULISSE_PATIENCE");
  const double given = text != nullptr ? std::strtod(text, nullptr) : 0;
  return given > 0 ? given : 3600;
}

class MpiTeam : public Team {
 public:
  explicit MpiTeam(int expected) {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    if (size_ != expected) {
      MPI_Finalize();
      throw InputError(
          fmt::format("started as one of {} processes by another MPI than this ulisse was built "
                      "with, which knows of {}; start it with that one's mpirun",
                      expected, size_));
    }
    if (provided < MPI_THREAD_SERIALIZED) abort("this MPI takes calls from one thread alone", 1);
    patience_ = patience_seconds();
  }
  ~MpiTeam() override { MPI_Finalize(); }
  MpiTeam(const MpiTeam&) = delete;
  MpiTeam& operator=(const MpiTeam&) = delete;

  int size() const override { return size_; }
  int rank() const override { return rank_; }

  // Everyone but the leader waits for orders here, for as long as it thinks.
  void broadcast(void* data, std::size_t bytes) override {
    auto* at = static_cast<char*>(data);
    for (std::size_t done = 0; done < bytes; done += kMostAtOnce) {
      const int count = static_cast<int>(std::min(kMostAtOnce, bytes - done));
      MPI_Request request;
      MPI_Ibcast(at + done, count, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
      wait(request);
    }
    count_bytes(bytes);
  }

  void sum(double* values, std::size_t count) override {
    constexpr std::size_t kMost = kMostAtOnce / sizeof(double);
    for (std::size_t done = 0; done < count; done += kMost) {
      const int some = static_cast<int>(std::min(kMost, count - done));
      double* const at = values + done;
      MPI_Request request;
      MPI_Ireduce(leads() ? MPI_IN_PLACE : at, at, some, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD,
                  &request);
      wait(request);
    }
    count_bytes(count * sizeof(double));
  }

  std::vector<std::string> gather(const std::string& text) override {
    constexpr int kMost = 256;
    std::string own = text.substr(0, kMost - 1);
    own.resize(kMost, '\0');
    std::vector<char> all(static_cast<std::size_t>(leads() ? size_ * kMost : 0));
    MPI_Gather(own.data(), kMost, MPI_CHAR, all.data(), kMost, MPI_CHAR, 0, MPI_COMM_WORLD);
    std::vector<std::string> texts;
    for (std::size_t at = 0; at < all.size(); at += kMost) texts.emplace_back(all.data() + at);
    return texts;
  }

  [[noreturn]] void abort(const std::string& sentence, int code) override {
    std::fflush(stdout);
    std::fprintf(stderr, "ulisse: %s\n", printable(sentence).c_str());
    MPI_Abort(MPI_COMM_WORLD, code);
    _exit(code);
  }

  Traffic traffic() const override { return traffic_; }

 private:
  // Others of the team may need this core: after a moment it sleeps between its looks.
  void wait(MPI_Request& request) {
    const double start = seconds_now();
    for (int done = 0; true;) {
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
      if (done != 0) break;
      const double waited = seconds_now() - start;
      if (leads() && waited > patience_) {
        abort(fmt::format("a process has not answered for {:.0f} s; the last checkpoint is good, "
                          "and ULISSE_PATIENCE sets the limit in seconds",
                          waited),
              1);
      }
      pause(waited);
    }
    traffic_.seconds_waited += seconds_now() - start;
  }

  static void pause(double waited) {
    constexpr double kSpins = 50e-6, kShort = 0.1;
    if (waited < kSpins) return std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::microseconds(waited < kShort ? 50 : 500));
  }

  void count_bytes(std::size_t bytes) {
    traffic_.bytes += static_cast<double>(bytes) * (leads() ? size_ - 1 : 1);
  }

  int size_ = 1, rank_ = 0;
  double patience_ = 0;
  Traffic traffic_;
};

int processes_on_this_machine() {
  MPI_Comm here;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
  int count = 1;
  MPI_Comm_size(here, &count);
  MPI_Comm_free(&here);
  return count;
}

}  // namespace

// MPI takes 0.4 s to begin: not for one process.
std::unique_ptr<Team> join_team() {
  const Launch launch = launch_from_environment();
  if (launch.processes == 1) return nullptr;
  auto team = std::make_unique<MpiTeam>(launch.processes);
  const Cores cores = cores_of_this_process(processes_on_this_machine());
  set_default_threads(cores.threads());
  if (team->leads() && cores.bound_to_one()) {
    std::fprintf(stderr,
                 "ulisse: each process is bound to one of %d cores, which mpirun does by default; "
                 "--bind-to none lets it use its share of them\n",
                 cores.of_machine);
  }
  return team;
}

}  // namespace ulisse
