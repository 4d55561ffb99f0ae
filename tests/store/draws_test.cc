// Draws and checkpoints on the disk.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "store/chain_file.h"
#include "store/checkpoint.h"
#include "store/files.h"
#include "support/error_message.h"
#include "ulisse/error.h"

namespace ulisse {
namespace {

namespace fs = std::filesystem;
using testing::contains;
using testing::message_of;

class Draws : public ::testing::Test {
 protected:
  Draws() : folder_(fs::temp_directory_path() / ("ulisse_draws_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~Draws() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

 private:
  fs::path folder_;
};

Transition transition(double a, double b) {
  return {.psi = (Vector(2) << a, b).finished(),
          .log_density = -1.5,
          .accept_stat = 0.25,
          .step_size = 0.1,
          .tree_depth = 3,
          .leapfrogs = 7,
          .divergent = a > 1,
          .energy = 2};
}

ChainHeader header() {
  return {.model = "ulisse_rbf",
          .sampler = "mh",
          .id = 2,
          .warmup = 10,
          .draws = 3,
          .seed = 9,
          .settings = {{"preset", "default"}},
          .parameters = {"sigma", "lambda"},
          .step_size = 0.5,
          .metric_diagonal = (Vector(2) << 1, 2).finished()};
}

TEST_F(Draws, ComeBackAsTheyWere) {
  ChainFile file(path("chain.csv"), header());
  file.append(transition(0.1, -2));
  file.append(transition(1.2, 1.0 / 3));
  file.finish(2, 1.25, 2.5);
  file.flush();
  const ChainDraws draws = read_chain(path("chain.csv"));
  EXPECT_EQ(draws.parameters, (std::vector<std::string>{"sigma", "lambda"}));
  ASSERT_EQ(draws.theta.rows(), 2);
  EXPECT_EQ(draws.theta(0, 0), std::exp(0.1));
  EXPECT_EQ(draws.theta(1, 1), std::exp(1.0 / 3));
  EXPECT_EQ(draws.divergent, 1);
  EXPECT_EQ(draws.products(0), 7);
}

// Those of the trend may be anything.
TEST_F(Draws, HaveQuantitiesBehindTheParameters) {
  ChainHeader begin = header();
  begin.quantities = {"noise_sd", "trend.a"};
  ChainFile file(path("chain.csv"), begin);
  file.append(transition(0.1, -2), (Vector(2) << 0, -1.0 / 3).finished());
  file.append(transition(0.2, -2), (Vector(2) << 0, NAN).finished());
  file.flush();
  EXPECT_TRUE(contains(read_file(path("chain.csv")), "energy__,sigma,lambda,noise_sd,trend.a\n"));
  const ChainDraws draws = read_chain(path("chain.csv"));
  EXPECT_EQ(draws.parameters, (std::vector<std::string>{"sigma", "lambda"}));
  EXPECT_EQ(draws.quantities, begin.quantities);
  EXPECT_EQ(draws.theta(0, 0), std::exp(0.1));
  EXPECT_EQ(draws.values(0, 0), 0);
  EXPECT_EQ(draws.values(0, 1), -1.0 / 3);
  EXPECT_TRUE(std::isnan(draws.values(1, 1)));
}

// A summary showed NaN, or a negative standard deviation, without a word.
TEST_F(Draws, WithQuantitiesThatCannotBeAreRefused) {
  ChainHeader begin = header();
  begin.quantities = {"signal_sd", "lengthscale.1"};
  for (const double value : {-1.0, double(NAN), double(INFINITY)}) {
    ChainFile file(path("chain.csv"), begin);
    file.append(transition(0.1, -2), (Vector(2) << 1, value).finished());
    file.flush();
    EXPECT_TRUE(contains(message_of([&] { read_chain(path("chain.csv")); }),
                         "column 'lengthscale.1' must be a number of 0 or more, is '"))
        << value;
  }
}

TEST_F(Draws, HaveTheNoiseOfStepsWhichIsNoQuantity) {
  ChainHeader begin = header();
  begin.quantities = {"noise_sd", "noise_1__", "noise_2__"};
  EXPECT_EQ(noise_columns(2), (std::vector<std::string>{"noise_1__", "noise_2__"}));
  ChainFile file(path("chain.csv"), begin);
  file.append(transition(0.1, -2), (Vector(3) << 2, -0.5, 1.0 / 3).finished());
  file.flush();
  const ChainDraws draws = read_chain(path("chain.csv"));
  EXPECT_EQ(draws.quantities, std::vector<std::string>{"noise_sd"});
  ASSERT_EQ(draws.noise.cols(), 2);
  EXPECT_EQ(draws.noise(0, 0), -0.5);
  EXPECT_EQ(draws.noise(0, 1), 1.0 / 3);
}

TEST_F(Draws, HaveWhatReadersOfCmdStanInsistOn) {
  ChainFile file(path("chain.csv"), header());
  file.append(transition(0, 0));
  file.finish(3, 1.25, 2.5);
  file.flush();
  const std::string text = read_file(path("chain.csv"));
  for (
      const char* line :
      {"# num_samples = 3                  \n", "# num_warmup = 10\n", "# save_warmup = 0\n",
       "# thin = 1\n", "# model = ulisse_rbf\n", "# method = sample\n", "# id = 2\n",
       "# metric = diag_e\n", "# max_depth = 10\n", "# sampler = mh\n",
       "lp__,accept_stat__,stepsize__,treedepth__,n_leapfrog__,divergent__,energy__,sigma,lambda\n",
       "# Adaptation terminated\n# Step size = 0.5\n# Diagonal elements of inverse mass matrix:\n# "
       "1, 2\n",
       "-1.5,0.25,0.1,3,7,0,2,1,1\n", "#  Elapsed Time: 1.250 seconds (Warm-up)\n",
       "#                2.500 seconds (Sampling)\n", "#                3.750 seconds (Total)\n"}) {
    EXPECT_TRUE(contains(text, line)) << line;
  }
}

// rstan said of all of them "Samples were drawn using NUTS(diag_e)".
TEST_F(Draws, AreOfTheAlgorithmThatTheHeaderNames) {
  const auto text = [&](Algorithm algorithm) {
    ChainHeader h = header();
    h.algorithm = algorithm;
    ChainFile(path("chain.csv"), h).flush();
    return read_file(path("chain.csv"));
  };
  EXPECT_TRUE(
      contains(text(Algorithm::nuts), "# algorithm = hmc\n# engine = nuts\n# sampler_t = NUTS\n"));
  EXPECT_TRUE(contains(text(Algorithm::metropolis),
                       "# algorithm = metropolis\n# sampler_t = Metropolis\n"));
  EXPECT_TRUE(contains(text(Algorithm::langevin), "# sampler_t = Langevin\n"));
  EXPECT_TRUE(contains(text(Algorithm::sgld), "# sampler_t = SGLD\n"));
  EXPECT_FALSE(contains(text(Algorithm::langevin), "nuts"));
}

// rstan and cmdstanpy count, and do not take files with fewer draws than announced.
TEST_F(Draws, OfAnInterruptedRunAreCountedInTheHeader) {
  ChainHeader announced = header();
  announced.draws = 1000000;
  std::uint64_t size = 0;
  {
    ChainFile file(path("chain.csv"), announced);
    file.append(transition(0.1, -2));
    size = file.flush();
    file.finish(1, 1, 1);
    file.flush();
  }
  EXPECT_TRUE(contains(read_file(path("chain.csv")), "# num_samples = 1      "));
  ChainFile again(path("chain.csv"), size);
  again.append(transition(0.3, 0));
  again.finish(2, 1, 1);
  again.flush();
  EXPECT_TRUE(contains(read_file(path("chain.csv")), "# num_samples = 2      "));
  EXPECT_EQ(read_chain(path("chain.csv")).theta.rows(), 2);
}

TEST_F(Draws, AnEmptyFileIsReadLikeAnyOther) {
  std::ofstream(path("empty")).close();
  EXPECT_EQ(read_file(path("empty")), "");
  EXPECT_TRUE(contains(message_of([&] { read_file(path("")); }), "Is a directory"));
}

TEST_F(Draws, ARowCutShortByACrashIsLeftOut) {
  ChainFile file(path("chain.csv"), header());
  file.append(transition(0.1, -2));
  file.flush();
  std::ofstream(path("chain.csv"), std::ios::app) << "-1,0.2,0.1,3,7,0,2,1.5,0.";
  EXPECT_EQ(read_chain(path("chain.csv")).theta.rows(), 1);
}

TEST_F(Draws, AFileGoesOnFromTheSizeOfACheckpoint) {
  std::uint64_t size = 0;
  {
    ChainFile file(path("chain.csv"), header());
    file.append(transition(0.1, -2));
    size = file.flush();
    file.append(transition(5, 5));
    file.finish(2, 1, 1);
    file.flush();
  }
  ChainFile again(path("chain.csv"), size);
  again.append(transition(0.3, 0));
  again.flush();
  const ChainDraws draws = read_chain(path("chain.csv"));
  ASSERT_EQ(draws.theta.rows(), 2);
  EXPECT_EQ(draws.theta(1, 0), std::exp(0.3));
}

TEST_F(Draws, AFileShorterThanItsCheckpointIsRefused) {
  { ChainFile(path("chain.csv"), header()).flush(); }
  EXPECT_TRUE(
      contains(message_of([&] { ChainFile(path("chain.csv"), 100000); }), "is shorter than"));
}

TEST_F(Draws, AFileThatAKillLeftWithoutItsHeaderHasNone) {
  for (const char* text : {"", "# model = gp\n", "# mod"}) {
    std::ofstream(path("killed.csv")) << text;
    EXPECT_TRUE(read_chain(path("killed.csv")).parameters.empty()) << text;
    EXPECT_EQ(read_chain(path("killed.csv")).theta.size(), 0) << text;
  }
}

TEST_F(Draws, OtherFilesAreNotTakenForDraws) {
  std::ofstream(path("other.csv")) << "a,b\n1,2\n";
  EXPECT_TRUE(
      contains(message_of([&] { read_chain(path("other.csv")); }), "is not a file of draws"));
  EXPECT_TRUE(contains(message_of([&] { read_chain(path("none.csv")); }), "cannot be read"));
}

TEST_F(Draws, RowsUpToACheckpointAreReadAndNoOthers) {
  ChainFile file(path("chain.csv"), header());
  file.append(transition(0.1, -2));
  const std::uint64_t size = file.flush();
  std::ofstream(path("chain.csv"), std::ios::app) << std::string(50, '\0') << "\nx,y\n";
  EXPECT_EQ(read_chain(path("chain.csv"), size).theta.rows(), 1);
  EXPECT_TRUE(contains(message_of([&] { read_chain(path("chain.csv"), size - 1); }),
                       "is not as it was at the last checkpoint"));
  EXPECT_TRUE(
      contains(message_of([&] { read_chain(path("chain.csv"), size + 1000); }), "is shorter than"));
}

const StateOwner kOwner{"checkpoint", "0123456789abcdef"};

TEST_F(Draws, CheckpointsComeBackAsTheyWere) {
  const std::string state("a\0b\nc\xff", 6);
  write_checkpoint(path("checkpoint"), kOwner, state);
  EXPECT_EQ(read_checkpoint(path("checkpoint"), kOwner), state);
  EXPECT_TRUE(looks_like_checkpoint(path("checkpoint")));
  write_checkpoint(path("checkpoint"), kOwner, "");
  EXPECT_EQ(read_checkpoint(path("checkpoint"), kOwner), "");
}

TEST_F(Draws, ADamagedCheckpointIsNoticed) {
  write_checkpoint(path("checkpoint"), kOwner, "some state of some chain");
  const std::string good = read_file(path("checkpoint"));
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 1);
    std::ofstream(path("checkpoint"), std::ios::binary) << bad;
    EXPECT_THROW(read_checkpoint(path("checkpoint"), kOwner), InputError) << i;
    std::ofstream(path("checkpoint"), std::ios::binary) << good.substr(0, i);
    EXPECT_THROW(read_checkpoint(path("checkpoint"), kOwner), InputError) << i;
  }
}

TEST_F(Draws, ACheckpointOfAnotherFitOrKindIsRefused) {
  write_checkpoint(path("checkpoint"), kOwner, "state");
  for (const StateOwner& other :
       {StateOwner{"checkpoint", "0123456789abcdee"}, StateOwner{"setup", "0123456789abcdef"}}) {
    EXPECT_TRUE(contains(message_of([&] { read_checkpoint(path("checkpoint"), other); }),
                         "belongs to another fit"));
  }
}

TEST_F(Draws, ACheckpointOfAnotherVersionSaysWhatToDo) {
  std::ofstream(path("checkpoint")) << "ulisse checkpoint 9\n5 00000000\nstate";
  const std::string other = message_of([&] { read_checkpoint(path("checkpoint"), kOwner); });
  EXPECT_TRUE(contains(other, "by another version of ulisse") &&
              contains(other, "force begins it anew"));
  EXPECT_TRUE(looks_like_checkpoint(path("checkpoint")));
  std::ofstream(path("checkpoint")) << "my notes";
  EXPECT_TRUE(contains(message_of([&] { read_checkpoint(path("checkpoint"), kOwner); }),
                       "is no checkpoint of ulisse"));
  EXPECT_FALSE(looks_like_checkpoint(path("checkpoint")));
}

}  // namespace
}  // namespace ulisse
