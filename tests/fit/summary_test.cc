// What is said of a fit that has hardly begun.

#include "fit/summary.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "store/chain_file.h"

namespace ulisse {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

class Summary : public ::testing::Test {
 public:
  Summary()
      : path_(fs::temp_directory_path() / ("ulisse_summary_" + std::to_string(::getpid()))),
        folder_(path_.string()) {
    folder_.create();
    folder_.write_json(
        {{"status", "interrupted"}, {"settings", {{"sampler", "mh"}, {"chains", 2}}}});
  }
  ~Summary() override { fs::remove_all(path_); }

 protected:
  const FitFolder& folder() const { return folder_; }

  // Chain c with so many draws.
  void write_chain(int c, int draws) const {
    ChainFile file(folder_.chain_file(c), {.model = "ulisse_rbf",
                                           .sampler = "mh",
                                           .parameters = {"sigma"},
                                           .metric_diagonal = Vector::Ones(1)});
    for (int i = 0; i < draws; ++i) {
      file.append({.psi = Vector::Constant(1, i),
                   .log_density = 0,
                   .accept_stat = 1,
                   .step_size = 1,
                   .energy = 0});
    }
    file.flush();
  }

 private:
  fs::path path_;
  FitFolder folder_;
};

TEST_F(Summary, OfAFitThatEndedInWarmupHasNoParameters) {
  const FitSummary s = full_summary(load_fit(folder().path()));
  EXPECT_TRUE(s.parameters.empty());
  ASSERT_EQ(s.findings.size(), 1U);
  EXPECT_EQ(s.findings[0].code, Finding::Code::no_draws);
}

// An interrupt between warm-up and the first draw ended with "there are no parameters".
TEST_F(Summary, OfAFitThatEndedWithItsWarmupHasNoParameters) {
  for (int c : {0, 1}) write_chain(c, 0);
  const FitSummary s = full_summary(load_fit(folder().path()));
  EXPECT_TRUE(s.parameters.empty());
  EXPECT_TRUE(has(s.findings, Finding::Code::no_draws));
  EXPECT_TRUE(to_json(s).at("seconds_per_independent_sample").is_null());
}

TEST_F(Summary, TakesWhatAllChainsHaveAfterAKill) {
  write_chain(0, 30);
  write_chain(1, 20);
  const FitSummary s = full_summary(load_fit(folder().path()));
  EXPECT_EQ(s.draws, 20);
  ASSERT_EQ(s.log_parameters.size(), 1U);
  EXPECT_DOUBLE_EQ(s.log_parameters[0].mean, 9.5);
}

}  // namespace
}  // namespace ulisse
