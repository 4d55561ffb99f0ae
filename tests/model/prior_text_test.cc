// How priors are written.

#include <gtest/gtest.h>

#include <limits>

#include "support/error_message.h"
#include "ulisse/prior.h"

namespace ulisse {
namespace {

using testing::contains;
using testing::message_of;

std::string error_for(const std::string& text) {
  return message_of([&] { parse_prior(text); });
}

TEST(PriorText, SpacesDoNotMatterAroundNamesAndNumbers) {
  EXPECT_EQ(parse_prior("gamma( 1 , 2.5 )").to_string(), "gamma(1,2.5)");
  EXPECT_EQ(parse_prior("  lognormal (-1,\t2)  ").to_string(), "lognormal(-1,2)");
  EXPECT_EQ(parse_prior(" half-normal ( 3 ) ").to_string(), "half-normal(3)");
}

// "gamma(1 2,3)" was once read as gamma(12,3).
TEST(PriorText, SpacesInsideANumberOrANameAreRefused) {
  for (const char* text : {"gamma(1 2,3)", "gamma(1,2 3)", "gam ma(1,2)", "half - normal(1)"}) {
    EXPECT_TRUE(contains(error_for(text), "is not a prior")) << text;
  }
}

TEST(PriorText, NumbersMayBeWrittenInAnyUsualWay) {
  EXPECT_EQ(parse_prior("gamma(1e-3,1E2)").to_string(), "gamma(0.001,100)");
  EXPECT_EQ(parse_prior("gamma(.5,2.)").to_string(), "gamma(0.5,2)");
}

TEST(PriorText, TheRoundTripKeepsEveryDigit) {
  const double third = 1.0 / 3, tiny = 1e-300;
  const Prior p(Prior::Family::gamma, third, tiny);
  EXPECT_EQ(parse_prior(p.to_string()).to_string(), p.to_string());
  EXPECT_EQ(parse_prior(p.to_string()).log_density_psi(0.1).value, p.log_density_psi(0.1).value);
}

TEST(PriorText, WhatIsNoPriorIsNamedAndTheFamiliesAreListed) {
  for (const char* text : {"", " ", "gamma", "gamma(", "gamma)", "()", "(1,1)", "beta(1,1)",
                           "Gamma(1,1)", "halfnormal(1)", "gamma(1,1", "gamma 1,1"}) {
    const std::string message = error_for(text);
    EXPECT_TRUE(contains(message, "'" + std::string(text) + "' is not a prior")) << message;
    EXPECT_TRUE(contains(message, "gamma(shape,rate)")) << message;
    EXPECT_TRUE(contains(message, "inverse-gamma(shape,scale)")) << message;
  }
}

TEST(PriorText, TheWrongNumberOfArgumentsSaysHowManyThereShouldBe) {
  EXPECT_EQ(error_for("gamma(1)"),
            "the prior 'gamma(1)' has 1 argument; gamma takes 2: write gamma(shape,rate)");
  EXPECT_EQ(
      error_for("half-normal(1,1)"),
      "the prior 'half-normal(1,1)' has 2 arguments; half-normal takes 1: write half-normal(sd)");
  for (const char* text : {"gamma()", "gamma(1,1,1)", "lognormal(0)", "inverse-gamma(2)",
                           "inverse-gamma(1,2,3)", "gamma(1;1)"}) {
    EXPECT_TRUE(contains(error_for(text), " takes 2: write ")) << text;
  }
}

TEST(PriorText, AnArgumentThatIsNotANumberIsNamed) {
  EXPECT_EQ(error_for("gamma(1,x)"),
            "the prior 'gamma(1,x)': its rate, 'x', is not a number; write gamma(shape,rate)");
  for (const char* text : {"gamma(,)", "gamma(,1)", "gamma(a,b)", "inverse-gamma(1x,2)"}) {
    EXPECT_TRUE(contains(error_for(text), "its shape, ")) << text;
  }
  for (const char* text : {"lognormal(0,)", "lognormal(0,1e)", "lognormal(0,1))"}) {
    EXPECT_TRUE(contains(error_for(text), "its sd, ")) << text;
  }
}

TEST(PriorText, TrailingTextIsRefused) {
  for (const char* text : {"gamma(1,1)x", "gamma(1,1) x", "gamma(1,1)("}) {
    EXPECT_TRUE(contains(error_for(text), "is not a prior")) << text;
  }
}

TEST(PriorText, ParametersOutOfRangeAreRefused) {
  for (const char* text : {"gamma(-1,1)", "gamma(1,-1)", "gamma(0,1)", "gamma(1,0)", "gamma(nan,1)",
                           "gamma(1,inf)", "lognormal(inf,1)", "lognormal(0,0)", "lognormal(0,-2)",
                           "lognormal(nan,1)", "half-normal(0)", "half-normal(-3)",
                           "half-normal(inf)", "inverse-gamma(0,1)", "inverse-gamma(1,nan)"}) {
    EXPECT_TRUE(contains(error_for(text), "finite")) << text;
  }
  EXPECT_EQ(error_for("gamma(1,-2)"), "the prior gamma(1,-2): its rate is not positive and finite");
  EXPECT_EQ(error_for("lognormal(inf,1)"), "the prior lognormal(inf,1): its mu is not finite");
  EXPECT_NE(error_for("gamma(1e999,1)"), "no error");
}

TEST(PriorText, ALognormalMayHaveANegativeMean) {
  EXPECT_EQ(parse_prior("lognormal(-2.5,1)").to_string(), "lognormal(-2.5,1)");
}

TEST(PriorText, TheConstructorRefusesWhatTheTextDoes) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(Prior(Prior::Family::gamma, 1, 0), InputError);
  EXPECT_THROW(Prior(Prior::Family::gamma, nan, 1), InputError);
  EXPECT_THROW(Prior(Prior::Family::half_normal, -1), InputError);
  EXPECT_NO_THROW(Prior(Prior::Family::half_normal, 1));
}

}  // namespace
}  // namespace ulisse
