#pragma once

#include <functional>
#include <nlohmann/json.hpp>

namespace ulisse::cli {

// Runs the program, on the first of the processes that were started together; the others do their
// share of its work. The result is the exit code. Alone it just runs it.
int run_with_team(const std::function<int()>& program);

// How many processes work together, and since this was made the bytes between the first and the
// others, and the share of time in which it waited for them.
class TeamMeter {
 public:
  TeamMeter();
  nlohmann::ordered_json report() const;

 private:
  double started_, bytes_ = 0, waited_ = 0;
};

}  // namespace ulisse::cli
