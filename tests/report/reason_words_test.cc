#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "support/error_message.h"
#include "ulisse/reason.h"

namespace ulisse {
namespace {

using testing::contains;

// With every value that some reason has.
Reason reason_with_all(Reason::Code code) {
  return {code,
          {{"words", "so it was"},
           {"preset", "paper"},
           {"rows", 1030.0},
           {"exact", "mh"},
           {"exact_seconds", 6000.0},
           {"other", "ulisse"},
           {"other_seconds", 30.0},
           {"exact_steps_seconds", 600.0}}};
}

TEST(ReasonWords, EveryReasonHasItsOwnWords) {
  std::set<std::string> words;
  for (const Reason::Code code : all_reason_codes()) {
    const std::string text = to_text(reason_with_all(code));
    EXPECT_EQ(text.empty(), code == Reason::Code::none) << to_string(code);
    EXPECT_TRUE(words.insert(text).second) << text;
    EXPECT_FALSE(text.ends_with('.')) << text;
  }
}

TEST(ReasonWords, AChoiceOfASamplerNamesBothTimes) {
  Reason reason = reason_with_all(Reason::Code::exact_too_slow);
  EXPECT_EQ(to_text(reason),
            "on the exact likelihood of 1030 rows mh would take about 1.7 h here, ulisse about "
            "30 s (or 10 min where the posterior asks for exact steps)");
  reason.values.back().value = NAN;
  EXPECT_FALSE(contains(to_text(reason), "exact steps"));
  reason.values.pop_back();
  EXPECT_FALSE(contains(to_text(reason), "exact steps"));
}

}  // namespace
}  // namespace ulisse
