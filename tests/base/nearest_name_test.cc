#include "base/nearest_name.h"

#include <gtest/gtest.h>

#include <vector>

namespace ulisse {
namespace {

TEST(NearestName, PrefersTheFewestChanges) {
  const std::vector<std::string> names = {"cement", "element", "age"};
  EXPECT_EQ(nearest_name("cment", names), "cement");
  EXPECT_EQ(nearest_name("elment", names), "element");
  EXPECT_EQ(nearest_name("agee", names), "age");
  EXPECT_EQ(nearest_name("strength", names), std::nullopt);
}

TEST(NearestName, DoesNotReplaceEveryLetter) {
  const std::vector<std::string> names = {"x", ""};
  EXPECT_EQ(nearest_name("y", names), std::nullopt);
}

TEST(NearestName, LettersThatChangedPlacesAreOneSlip) {
  const std::vector<std::string> names = {"bench", "map"};
  EXPECT_EQ(nearest_name("mpa", names), "map");
  EXPECT_EQ(nearest_name("bnech", names), "bench");
}

TEST(NearestName, TheSuggestionIsEmptyWhenNothingIsNear) {
  const std::vector<std::string> names = {"bench", "map"};
  EXPECT_EQ(did_you_mean("mop", names), " (did you mean 'map'?)");
  EXPECT_EQ(did_you_mean("sample", names), "");
}

}  // namespace
}  // namespace ulisse
