#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "distribute/team.h"

namespace ulisse {

// A team whose processes are threads of this one, for tests: the same protocol without MPI.
class ThreadTeam {
 public:
  // The others run `serve` until it returns or throws.
  ThreadTeam(int size, const std::function<void(Team&)>& serve);
  // Waits for them: the leader has told them to stop, or somebody has failed.
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  // Of the thread that made this.
  Team& leader();

 private:
  class Member;
  struct Meeting;

  std::unique_ptr<Meeting> meeting_;
  std::vector<std::unique_ptr<Member>> members_;
  std::vector<std::thread> threads_;
};

}  // namespace ulisse
