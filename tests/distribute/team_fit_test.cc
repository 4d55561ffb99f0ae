// A whole fit by a team has the draws of one process.

#include <gtest/gtest.h>

#include <cmath>

#include "distribute/leader.h"
#include "distribute/thread_team.h"
#include "distribute/worker.h"
#include "support/random_points.h"
#include "ulisse/fit.h"

namespace ulisse {
namespace {

Dataset small_table() {
  Dataset data{
      .x = testing::normal_matrix(120, 2, 1), .y = {}, .features = {"a", "b"}, .target = "y"};
  data.y = data.x.col(0).array().sin() + 0.3 * data.x.col(1).array().square() +
           0.1 * testing::normal_matrix(120, 1, 2).col(0).array();
  return data;
}

std::vector<Matrix> draws_of_fit(const std::string& sampler) {
  const Dataset data = small_table();
  OptionValues settings = {{"chains", 2L}, {"warmup", 3L}, {"draws", 3L}, {"backend", "dense"}};
  if (sampler == "ulisse") settings["step"] = 1.0;
  const Fit fit =
      ulisse::fit(data, make_model("matern52", data), {.sampler = sampler, .settings = settings});
  std::vector<Matrix> draws;
  for (const std::string& name : fit.parameters()) draws.push_back(fit.draws_of(name));
  return draws;
}

class TeamFit : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, TeamFit, ::testing::Values("ulisse", "sgld"),
                         [](const auto& each) { return each.param; });

TEST_P(TeamFit, HasTheDrawsOfOneProcess) {
  const std::vector<Matrix> alone = draws_of_fit(GetParam());
  for (const int size : {1, 2, 3, 7}) {
    ThreadTeam team(size, serve);
    const Leadership leadership(team.leader(), 1);
    EXPECT_EQ(draws_of_fit(GetParam()), alone) << size << " processes";
    EXPECT_EQ(team.leader().traffic().bytes > 1e5, size > 1);
  }
}

}  // namespace
}  // namespace ulisse
