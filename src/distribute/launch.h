#pragma once

#include <memory>
#include <string>

#include "distribute/team.h"

namespace ulisse {

// How this process was started, as mpirun and srun tell it: one of several, or alone.
struct Launch {
  int processes = 1, rank = 0;
};
Launch launch_from_environment();

// This process's cores, for as many processes as share its machine: each its part of them, where
// they are bound to the same ones.
struct Cores {
  int of_machine = 1, allowed = 1, local_processes = 1;

  int threads() const;
  // Bound to one core of several that nobody else of the team needs, as mpirun does by default.
  bool bound_to_one() const { return allowed == 1 && local_processes < of_machine; }
};
Cores cores_of_this_process(int local_processes);

// The team of all processes that were started together; null where this one was started alone.
// Throws InputError where there are several and ulisse was built without MPI, or with another one.
// In mpi_team.cc or no_mpi.cc, which programs link and not the library.
std::unique_ptr<Team> join_team();

// What instruction sets and kernels of OpenBLAS the processes use where they differ, in one
// sentence: then results may have other bits with another number of them. Empty where they do not,
// and elsewhere than on the leader.
std::string differences_between_processors(Team& team);

}  // namespace ulisse
