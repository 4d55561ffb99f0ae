#include "team.h"

#include <fmt/format.h>

#include <csignal>
#include <cstdlib>
#include <exception>

#include "base/clock.h"
#include "distribute/launch.h"
#include "distribute/leader.h"
#include "distribute/worker.h"
#include "ulisse/error.h"

namespace ulisse::cli {

namespace {

const Team* current = nullptr;  // of the leader

// For tests: small tables are shared, too.
Index least_rows() {
  const char* text = std::getenv("ULISSE_LEAST_ROWS");
  const long given = text != nullptr ? std::strtol(text, nullptr, 10) : 0;
  return given > 0 ? given : kLeastRowsToSplit;
}

// Signals go to all processes; the leader decides, and tells the others to stop.
void follow(Team& team) {
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, SIG_IGN);
  differences_between_processors(team);
  serve(team);
}

int lead(Team& team, const std::function<int()>& program) {
  const std::string differences = differences_between_processors(team);
  if (!differences.empty()) fmt::print(stderr, "ulisse: {}\n", differences);
  const Leadership leadership(team, least_rows());
  current = &team;
  const int code = program();
  current = nullptr;
  return code;
}

}  // namespace

int run_with_team(const std::function<int()>& program) {
  std::unique_ptr<Team> team;
  try {
    team = join_team();
  } catch (const InputError& error) {
    if (launch_from_environment().rank == 0) fmt::print(stderr, "ulisse: {}\n", error.what());
    return 2;
  }
  if (!team) return program();
  if (team->leads()) return lead(*team, program);
  follow(*team);
  return 0;
}

TeamMeter::TeamMeter() : started_(seconds_now()) {
  if (current == nullptr) return;
  bytes_ = current->traffic().bytes;
  waited_ = current->traffic().seconds_waited;
}

nlohmann::ordered_json TeamMeter::report() const {
  if (current == nullptr) return {{"processes", 1}};
  const double seconds = seconds_now() - started_;
  const Team::Traffic now = current->traffic();
  return {{"processes", current->size()},
          {"bytes_sent", now.bytes - bytes_},
          {"share_waiting", seconds > 0 ? (now.seconds_waited - waited_) / seconds : 0}};
}

}  // namespace ulisse::cli
