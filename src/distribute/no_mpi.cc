// In place of mpi_team.cc, where ulisse is built without MPI.

#include <fmt/format.h>

#include "distribute/launch.h"
#include "ulisse/error.h"

namespace ulisse {

std::unique_ptr<Team> join_team() {
  const Launch launch = launch_from_environment();
  if (launch.processes == 1) return nullptr;
  throw InputError(
      fmt::format("started as one of {} processes, which this ulisse was built without MPI for; "
                  "start one, or build it where MPI is installed (-DULISSE_MPI=ON)",
                  launch.processes));
}

}  // namespace ulisse
