// Operators shared by a team give the bits of those of one process.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "distribute/kernel_words.h"
#include "distribute/leader.h"
#include "distribute/order.h"
#include "distribute/thread_team.h"
#include "distribute/worker.h"
#include "support/random_points.h"
#include "support/thread_counts.h"
#include "support/watches.h"
#include "ulisse/covariance.h"
#include "ulisse/dataset.h"

namespace ulisse {
namespace {

using testing::normal_matrix;

struct Results {
  Matrix product, forms;
  Vector sum;
  bool operator==(const Results&) const = default;
};

class SharedKernel : public ::testing::TestWithParam<std::string> {
 protected:
  Results results(const std::string& kernel = "matern52-ard") const {
    const Index p = parse_kernel(kernel).parameter_count(3) + 1;
    const Vector psi = Vector::LinSpaced(p, 0.4, -1.5);
    const auto covariance = make_covariance(parse_kernel(kernel), x_, {.backend = GetParam()});
    const auto k = covariance->at(psi);
    Results r{.product = Matrix(x_.rows(), 5), .forms = {}, .sum = {}};
    k->apply(v_, r.product);
    r.forms = k->gradient_forms_by_column(v_, u_);
    r.sum = k->gradient_forms(u_, u_);
    return r;
  }

  const Matrix x_ = normal_matrix(700, 3, 1), v_ = normal_matrix(700, 5, 2),
               u_ = normal_matrix(700, 5, 3);
};
INSTANTIATE_TEST_SUITE_P(All, SharedKernel, ::testing::Values("dense", "dense-float", "cached"),
                         [](const auto& each) {
                           return each.param == "dense-float" ? "Float" : each.param;
                         });

TEST_P(SharedKernel, AnyTeamGivesTheBitsOfOneProcess) {
  const Results alone = results(), other = results("rbf");
  for (const int size : {1, 2, 3, 7}) {
    ThreadTeam team(size, serve);
    const Leadership leadership(team.leader(), 1);
    EXPECT_EQ(results(), alone) << size << " processes";
    EXPECT_EQ(results("rbf"), other) << size << " processes";
    const bool shared = GetParam() != "cached" && size > 1;
    EXPECT_EQ(team.leader().traffic().bytes > 1e5, shared) << size << " processes";
  }
  EXPECT_EQ(results(), alone);  // when the team has ended
}

TEST_P(SharedKernel, AnyTeamOnAnyThreadsGivesTheSameBits) {
  const Results alone = results();
  ThreadTeam team(3, serve);
  const Leadership leadership(team.leader(), 1);
  for (const int count : {1, 2, 8}) {
    EXPECT_EQ(testing::on_threads(count, [&] { return results(); }), alone) << count << " threads";
  }
}

TEST_P(SharedKernel, SmallTablesStayWithTheLeader) {
  ThreadTeam team(2, serve);
  const Leadership leadership(team.leader(), 701);
  results();
  EXPECT_EQ(team.leader().traffic().bytes, 0);
}

// Whoever stops the leader in the middle of a product finds the others ready for the next.
TEST_P(SharedKernel, WorkThatIsStoppedLeavesTheTeamReady) {
  const Results alone = results();
  ThreadTeam team(3, serve);
  const Leadership leadership(team.leader(), 1);
  for (const int looks : {0, 1, 2, 3, 5}) {
    testing::StopAfter watch(looks);
    const WatchScope scope(watch);
    EXPECT_THROW(for (int i = 0; i < 10; ++i) results(), WorkStopped);
  }
  EXPECT_EQ(results(), alone);
}

TEST(Team, AFailingWorkerEndsTheLeaderWithItsSentence) {
  ThreadTeam team(3, serve);
  auto leader = std::make_shared<Leader>(team.leader(), 1);
  try {
    leader->ask({.kind = Order::apply, .id = 99, .rows = 4, .columns = 1}, [](Team& all) {
      Matrix x = Matrix::Ones(4, 1);
      all.broadcast(x.data(), 4 * sizeof(double));
      all.sum(x.data(), 4);
    });
    FAIL() << "nobody failed";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("process "), std::string::npos) << error.what();
  }
  EXPECT_THROW(leader->ask({}, [](Team&) {}), std::runtime_error);
  leader->stop();
}

TEST(KernelWords, ComeBackAsTheyWere) {
  const Dataset table{.x = Matrix(0, 3), .y = Vector(0), .features = {"a", "b", "c"}, .target = ""};
  Kernel kernel = parse_kernel("matern32-ard(a,b)*periodic(c,12.5) + rbf(a)", table);
  kernel.terms[1].factors[0].inputs.emplace_back(1, KernelInput::Kind::category);
  const KernelWords words{"dense", kernel, {.backend = "dense", .tolerance = 1e-7}};
  const KernelWords back = KernelWords::from(words.bytes());
  EXPECT_EQ(back.backend, "dense");
  EXPECT_EQ(back.options.tolerance, 1e-7);
  EXPECT_EQ(name_of(back.kernel), name_of(kernel));
  EXPECT_EQ(back.kernel.terms[1].factors[0].inputs, kernel.terms[1].factors[0].inputs);
}

}  // namespace
}  // namespace ulisse
