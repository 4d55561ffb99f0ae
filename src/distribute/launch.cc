#include "distribute/launch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <thread>

#include "base/blas_core.h"
#include "kernel/simd/tiles.h"

namespace ulisse {

namespace {

int number_in(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  if (text == nullptr) return otherwise;
  char* end = nullptr;
  const long value = std::strtol(text, &end, 10);
  const bool sensible = end != text && *end == '\0' && value >= 0 && value <= 10'000'000;
  return sensible ? static_cast<int>(value) : otherwise;
}

// Of Open MPI's mpirun, of others' (MPICH, Intel), and of srun: Slurm sets the last ones in steps
// alone, not in the job's script.
struct Variables {
  const char *processes, *rank;
};
constexpr std::array kVariables = {Variables{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                                   Variables{"PMI_SIZE", "PMI_RANK"},
                                   Variables{"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}};

}  // namespace

Launch launch_from_environment() {
  for (const Variables& names : kVariables) {
    const int processes = number_in(names.processes, 1);
    if (processes > 1) return {processes, number_in(names.rank, 0)};
  }
  return {};
}

int Cores::threads() const {
  // Processes that are bound apart have fewer cores than there are processes times cores.
  const bool bound_apart = allowed * local_processes <= of_machine;
  return std::max(1, bound_apart ? allowed : allowed / local_processes);
}

Cores cores_of_this_process(int local_processes) {
  Cores cores{.local_processes = local_processes};
  cores.of_machine = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  cores.allowed = cores.of_machine;
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) cores.allowed = std::max(1, CPU_COUNT(&set));
  // A process that is bound sees its own cores alone in hardware_concurrency().
  const long configured = sysconf(_SC_NPROCESSORS_ONLN);
  cores.of_machine = std::max(cores.of_machine, static_cast<int>(configured));
  return cores;
}

std::string differences_between_processors(Team& team) {
  const auto all = team.gather(fmt::format("{} with {}", simd::target_name(), blas_core()));
  const std::set<std::string> kinds(all.begin(), all.end());
  if (kinds.size() < 2) return "";
  return fmt::format(
      "the processors differ (instructions and OpenBLAS's kernels: {}): another number of "
      "processes "
      "may give other bits; ULISSE_INSTRUCTIONS and OPENBLAS_CORETYPE make them alike",
      fmt::join(kinds, ", "));
}

}  // namespace ulisse
