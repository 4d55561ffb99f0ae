// `dense` shared by a team: each operator by another number of processes, here threads of this one.

#include <array>
#include <atomic>
#include <memory>

#include "distribute/leader.h"
#include "distribute/thread_team.h"
#include "distribute/worker.h"
#include "ulisse/backend.h"

namespace ulisse {
namespace {

class SmallTeam {
 public:
  explicit SmallTeam(int size) : team_(size, serve) {
    leader_ = std::make_shared<Leader>(team_.leader(), 1);
  }
  ~SmallTeam() { leader_->stop(); }
  SmallTeam(const SmallTeam&) = delete;
  SmallTeam& operator=(const SmallTeam&) = delete;

  const std::shared_ptr<Leader>& leader() const { return leader_; }

 private:
  ThreadTeam team_;
  std::shared_ptr<Leader> leader_;
};

const std::shared_ptr<Leader>& next_leader() {
  static std::array<SmallTeam, 4> teams = {SmallTeam(1), SmallTeam(2), SmallTeam(3), SmallTeam(7)};
  static std::atomic<std::size_t> next = 0;
  return teams[next++ % teams.size()].leader();
}

Backend of_teams(const std::string& name, const std::string& shared, Capabilities can) {
  return {.name = name,
          .can = std::move(can),
          .make = [shared](const Kernel& kernel, const ConstBlock& x,
                           const CovarianceOptions& options) {
            return shared_kernel(next_leader(), backend_named(shared), kernel, x, options);
          }};
}

[[maybe_unused]] const bool kTeamsRegistered =
    (register_backend(of_teams("dense-of-teams", "dense", {})),
     register_backend(of_teams("float-of-teams", "dense-float", {.in_double = false})), true);

}  // namespace
}  // namespace ulisse
