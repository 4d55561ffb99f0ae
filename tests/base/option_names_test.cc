#include "base/option_names.h"

#include <gtest/gtest.h>

namespace ulisse {
namespace {

TEST(OptionNames, EachFrontEndHasItsOwn) {
  EXPECT_EQ(option_named("probe_count", OptionNames::command_line), "--probe-count");
  EXPECT_EQ(option_named("priors", OptionNames::command_line), "--prior") << "one at a time";
  for (const OptionNames names : {OptionNames::plain, OptionNames::python, OptionNames::r}) {
    EXPECT_EQ(option_named("probe_count", names), "probe_count");
    EXPECT_EQ(option_named("priors", names), "priors");
  }
}

TEST(OptionNames, ValuesAreAsOneTypesThem) {
  EXPECT_EQ(option_set("probe_count", 8, OptionNames::plain), "probe_count = 8");
  EXPECT_EQ(option_set("probe_count", 8, OptionNames::command_line), "--probe-count 8");
  EXPECT_EQ(option_set("early_stop", 0.05, OptionNames::python), "early_stop=0.05");
  EXPECT_EQ(option_set("sampler", "nuts", OptionNames::command_line), "--sampler nuts");
  EXPECT_EQ(option_set("sampler", "nuts", OptionNames::python), "sampler=\"nuts\"");
  EXPECT_EQ(option_set("sampler", "nuts", OptionNames::r), "sampler = \"nuts\"");
}

TEST(OptionNames, WhatAShellWouldTakeApartIsQuoted) {
  EXPECT_EQ(option_set("separator", ";", OptionNames::command_line), "--separator ';'");
  EXPECT_EQ(option_set("truncation", "matched(1.3)", OptionNames::command_line),
            "--truncation 'matched(1.3)'");
}

TEST(OptionNames, ArePlainUntilAFrontEndChooses) {
  EXPECT_EQ(option_named("memory"), "memory");
  use_option_names(OptionNames::command_line);
  EXPECT_EQ(option_named("memory"), "--memory");
  use_option_names(OptionNames::plain);
}

}  // namespace
}  // namespace ulisse
