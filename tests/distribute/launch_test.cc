// How a process learns that it is one of several.

#include "distribute/launch.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace ulisse {
namespace {

class LaunchTest : public ::testing::Test {
 protected:
  void SetUp() override { TearDown(); }
  void TearDown() override {
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "PMI_SIZE", "PMI_RANK",
                             "SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "SLURM_NTASKS"}) {
      unsetenv(name);
    }
  }
};

TEST_F(LaunchTest, AloneWithoutALauncher) {
  EXPECT_EQ(launch_from_environment().processes, 1);
  EXPECT_EQ(join_team(), nullptr);
}

TEST_F(LaunchTest, OfOpenMpi) {
  setenv("OMPI_COMM_WORLD_SIZE", "4", 1);
  setenv("OMPI_COMM_WORLD_RANK", "3", 1);
  EXPECT_EQ(launch_from_environment().processes, 4);
  EXPECT_EQ(launch_from_environment().rank, 3);
}

TEST_F(LaunchTest, TheScriptOfASlurmJobIsNoStepOfIt) {
  setenv("SLURM_NTASKS", "8", 1);
  setenv("SLURM_PROCID", "0", 1);
  EXPECT_EQ(launch_from_environment().processes, 1);
  setenv("SLURM_STEP_NUM_TASKS", "8", 1);
  EXPECT_EQ(launch_from_environment().processes, 8);
}

TEST_F(LaunchTest, NonsenseIsIgnored) {
  for (const char* text : {"", "-3", "many", "4x", "99999999999999"}) {
    setenv("PMI_SIZE", text, 1);
    EXPECT_EQ(launch_from_environment().processes, 1) << text;
  }
}

TEST(CoresTest, AreSharedByTheProcessesOfAMachine) {
  EXPECT_EQ((Cores{.of_machine = 8, .allowed = 8, .local_processes = 1}.threads()), 8);
  EXPECT_EQ((Cores{.of_machine = 8, .allowed = 8, .local_processes = 3}.threads()), 2);
  EXPECT_EQ((Cores{.of_machine = 8, .allowed = 2, .local_processes = 4}.threads()), 2);
  EXPECT_EQ((Cores{.of_machine = 2, .allowed = 2, .local_processes = 5}.threads()), 1);
}

TEST(CoresTest, OneCoreOfSeveralIsWorthAWarning) {
  EXPECT_TRUE((Cores{.of_machine = 8, .allowed = 1, .local_processes = 2}.bound_to_one()));
  EXPECT_FALSE((Cores{.of_machine = 2, .allowed = 1, .local_processes = 2}.bound_to_one()));
  EXPECT_FALSE((Cores{.of_machine = 8, .allowed = 4, .local_processes = 2}.bound_to_one()));
}

}  // namespace
}  // namespace ulisse
