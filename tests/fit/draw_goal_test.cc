// When chains that go on for effective samples end.

#include "fit/draw_goal.h"

#include <gtest/gtest.h>

#include "support/error_message.h"
#include "ulisse/random.h"

namespace ulisse {
namespace {

using testing::message_of;

FitSettings settings_of(long draws) { return {.draws = draws}; }

FitSettings settled(const OptionValues& given, Index n, bool resumes = false,
                    FitSettings s = settings_of(500)) {
  for (const auto& [key, value] : given) {
    const long number = std::get<long>(value);
    (key == "draws" ? s.draws : key == "ess" ? s.ess : s.max_draws) = number;
  }
  settle_draws(given, n, resumes, s);
  return s;
}

TEST(DrawGoal, DrawsAloneAreANumberOfThem) {
  const FitSettings s = settled({{"draws", 200L}}, 100);
  EXPECT_EQ(s.draws, 200);
  EXPECT_EQ(s.max_draws, 0);
  EXPECT_TRUE(goal_of(s, Algorithm::nuts).is_number());
}

TEST(DrawGoal, ExactStepsHaveOneByDefaultAndOthersWhereItIsAskedFor) {
  const FitSettings s = settled({}, 100);
  EXPECT_EQ(goal_of(s, Algorithm::nuts).ess, 1000);
  EXPECT_EQ(goal_of(s, Algorithm::metropolis).ess, 1000);
  EXPECT_TRUE(goal_of(s, Algorithm::langevin).is_number());
  EXPECT_TRUE(goal_of(s, Algorithm::sgld).is_number());
  EXPECT_EQ(goal_of(settled({{"ess", 300L}}, 100), Algorithm::langevin).ess, 300);
}

TEST(DrawGoal, ThereAreTwentyTimesTheFirstDrawsAtMostAndFourWhereTheyTakeLong) {
  EXPECT_EQ(settled({}, 1000).max_draws, 10'000);
  EXPECT_EQ(settled({}, 1001).max_draws, 2000);
  EXPECT_EQ(settled({{"draws", 30L}, {"ess", 100L}}, 1000).max_draws, 600);
  EXPECT_EQ(settled({{"max_draws", 700L}}, 1000).max_draws, 700);
}

TEST(DrawGoal, TheFirstDrawsAreNoMoreThanTheMost) {
  EXPECT_EQ(settled({{"max_draws", 100L}}, 1000).draws, 100);
  EXPECT_NE(message_of([] {
              settled({{"max_draws", 100L}, {"draws", 200L}}, 1000);
            }).find("200"),
            std::string::npos);
}

TEST(DrawGoal, AFitThatGoesOnKeepsItsOwnUnlessAnotherIsGiven) {
  const FitSettings before = settled({}, 100);
  EXPECT_EQ(settled({}, 100, true, before).max_draws, before.max_draws);
  EXPECT_EQ(settled({}, 100, true, settings_of(500)).max_draws, 0);  // a number of them, as before
  EXPECT_EQ(settled({{"draws", 900L}}, 100, true, before).max_draws, 0);
  EXPECT_EQ(settled({{"ess", 900L}}, 100, true, settings_of(500)).max_draws, 10'000);
}

TEST(DrawGoal, RunsByIterationsEndByThem) {
  FitSettings s = settings_of(0);
  s.own["iterations"] = 400L;
  EXPECT_TRUE(goal_of(s, Algorithm::sgld).is_number());
  EXPECT_NE(message_of([&] {
              settled({{"ess", 100L}}, 100, false, s);
            }).find("iterations"),
            std::string::npos);
}

// Two parameters, of which the second has an autocorrelation.
Matrix chain(std::uint64_t seed, Index draws, double correlation) {
  Rng rng = stream(seed, 0, Purpose::simulation);
  Matrix theta(draws, 2);
  double last = rng.normal();
  for (Index i = 0; i < draws; ++i) {
    last = correlation * last + std::sqrt(1 - correlation * correlation) * rng.normal();
    theta.row(i) << std::exp(rng.normal()), std::exp(last);
  }
  return theta;
}

DrawsUntilGoal looking(double correlation, Index draws, const DrawGoal& goal) {
  DrawsUntilGoal until(goal, 2, 4);
  for (int c = 0; c < 4; ++c)
    until.add(c, chain(static_cast<std::uint64_t>(c), draws, correlation));
  return until;
}

constexpr DrawGoal kThousand{.draws = 300, .max_draws = 4000, .ess = 1000};

TEST(DrawGoal, EnoughAtTheFirstLookEndsThere) {
  DrawsUntilGoal until = looking(0, 300, {.draws = 300, .max_draws = 4000, .ess = 900});
  EXPECT_EQ(until.wanted(), 300);
  EXPECT_TRUE(until.last_look().reached);
  EXPECT_GE(until.last_look().ess, 900);
}

TEST(DrawGoal, TheWorstParameterDecidesHowManyMore) {
  DrawsUntilGoal until = looking(0.5, 300, kThousand);  // a third as many as independent ones
  const long next = until.wanted();
  EXPECT_FALSE(until.last_look().reached);
  EXPECT_GT(next, 600 - 1);
  EXPECT_LE(next, 600);
  EXPECT_EQ(next % 10, 0);
}

// Whoever goes on from the files looks at all draws at once, and must end where the run did.
TEST(DrawGoal, ItEndsAtTheSameDrawsHoweverTheyCame) {
  const double correlation = 0.6;
  DrawsUntilGoal at_once = looking(correlation, 4000, kThousand);
  const long end = at_once.wanted();
  ASSERT_TRUE(at_once.last_look().reached);
  ASSERT_LT(end, 4000);
  DrawsUntilGoal in_pieces(kThousand, 2, 4);
  Index done = 0;
  while (in_pieces.wanted() > done) {
    for (int c = 0; c < 4; ++c) {
      in_pieces.add(c, chain(static_cast<std::uint64_t>(c), 4000, correlation).middleRows(done, 7));
    }
    done += 7;
  }
  EXPECT_EQ(in_pieces.wanted(), end);
  EXPECT_EQ(in_pieces.last_look().ess, at_once.last_look().ess);
}

TEST(DrawGoal, WhereItCannotBeReachedTheMostDrawsAreMade) {
  DrawsUntilGoal until = looking(0.99, 1000, {.draws = 100, .max_draws = 1000, .ess = 1000});
  EXPECT_EQ(until.wanted(), 1000);
  EXPECT_FALSE(until.last_look().reached);
  const GoalRecord record = until.record();
  EXPECT_FALSE(record.reached);
  EXPECT_EQ(record.max_draws, 1000);
  EXPECT_LT(record.effective, 1000);
}

TEST(DrawGoal, ChainsApartGoOnWhateverTheirEss) {
  DrawsUntilGoal until({.draws = 200, .max_draws = 4000, .ess = 10}, 2, 2);
  until.add(0, chain(1, 200, 0));
  until.add(1, 2 * chain(2, 200, 0));
  EXPECT_EQ(until.wanted(), 300);
  EXPECT_GT(until.last_look().ess, 10);
  EXPECT_GT(until.last_look().rhat, 1.01);
}

TEST(DrawGoal, DrawsThatStandStillGoOn) {
  DrawsUntilGoal until({.draws = 20, .max_draws = 4000, .ess = 10}, 2, 1);
  until.add(0, Matrix::Ones(20, 2));
  EXPECT_EQ(until.wanted(), 40);
}

}  // namespace
}  // namespace ulisse
