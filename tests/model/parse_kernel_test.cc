// Kernels as expressions: what is read, and at which character something is wrong.

#include <gtest/gtest.h>

#include "support/error_message.h"
#include "support/random_kernels.h"
#include "ulisse/kernel.h"

namespace ulisse {
namespace {

using testing::contains;
using testing::message_of;
using Kind = KernelInput::Kind;

// Numbers but for the category site; error is what is known of the noise.
Dataset table() {
  Dataset data = testing::mixed_table(4, 1);
  data.features[0] = "lon";
  data.features[1] = "fly ash (kg)";
  return data;
}

Kernel parsed(const std::string& expression) { return parse_kernel(expression, table()); }

std::string refusal(const std::string& expression) {
  return message_of([&] { parsed(expression); });
}

const Factor& only_factor(const Kernel& kernel) {
  EXPECT_TRUE(kernel.is_one_factor());
  return kernel.terms[0].factors[0];
}

TEST(ParseKernel, ANameAloneIsOnAllInputsButTheKnownNoise) {
  const Kernel kernel = parsed("matern32-ard");
  const Factor& factor = only_factor(kernel);
  EXPECT_EQ(factor.shape, Shape::matern32);
  EXPECT_TRUE(factor.ard);
  EXPECT_FALSE(factor.by_name);
  const std::vector<KernelInput> expected = {0, 1, 2, {3, Kind::category}};
  EXPECT_EQ(factor.inputs, expected);
}

TEST(ParseKernel, InputsStandInTheOrderGiven) {
  const Kernel kernel = parsed("rbf(day,lon)");
  const Factor& factor = only_factor(kernel);
  EXPECT_EQ(factor.inputs, (std::vector<KernelInput>{2, 0}));
  EXPECT_TRUE(factor.by_name);
  EXPECT_FALSE(factor.ard);
}

TEST(ParseKernel, ProductsBindTighterThanSums) {
  const Kernel kernel =
      parsed("matern12(lon)*rbf-ard(day,site) + matern52 + periodic(day,365.25)*rbf(day)");
  ASSERT_EQ(kernel.terms.size(), 3U);
  EXPECT_EQ(kernel.terms[0].factors.size(), 2U);
  EXPECT_EQ(kernel.terms[1].factors.size(), 1U);
  ASSERT_EQ(kernel.terms[2].factors.size(), 2U);
  const KernelInput circle = kernel.terms[2].factors[0].inputs.at(0);
  EXPECT_EQ(circle, KernelInput(2, Kind::circle, 365.25));
  EXPECT_EQ(kernel.terms[2].factors[0].shape, Shape::rbf);
  EXPECT_FALSE(kernel.is_one_factor());
  EXPECT_EQ(name_of(kernel), "matern12(1)*rbf-ard(3,4) + matern52 + periodic(3,365.25)*rbf(3)");
}

TEST(ParseKernel, BlanksBetweenPartsMeanNothing) {
  const std::string expected = name_of(parsed("rbf(lon,day)*periodic(day,7)+matern12"));
  for (const char* same : {"rbf( lon , day ) * periodic( day , 7 ) + matern12",
                           "  rbf(lon,day)\t*periodic(day,7)  +  matern12  ",
                           "rbf (lon,day)*periodic (day,7) +matern12"}) {
    EXPECT_EQ(name_of(parsed(same)), expected) << same;
  }
  EXPECT_EQ(name_of(parsed(" rbf-ard\t")), "rbf-ard");
}

TEST(ParseKernel, NamesOfOtherCharactersStandInQuotes) {
  EXPECT_EQ(only_factor(parsed("rbf(\"fly ash (kg)\", lon)")).inputs,
            (std::vector<KernelInput>{1, 0}));
  Dataset data = table();
  data.features[0] = "a \"b\", c";
  EXPECT_EQ(parse_kernel("rbf(\"a \"\"b\"\", c\")", data).terms[0].factors[0].inputs,
            (std::vector<KernelInput>{0}));
  EXPECT_TRUE(contains(refusal("rbf(\"lon)"), "at character 5: a quote without its end"));
  EXPECT_TRUE(contains(refusal("rbf(\"lon\"x)"), "at character 10: expected ',' or ')'"));
}

struct Bad {
  const char* expression;
  int place;
  const char* says;
};

TEST(ParseKernel, WhatIsWrongIsSaidWithItsPlace) {
  for (const Bad& bad : {
           Bad{"rbf(lon", 8, "expected ',' or ')'"},
           {"rbf(lon))", 9, "expected '+', '*' or the end"},
           {"rbf(lon) day", 10, "expected '+', '*' or the end"},
           {"rbf(lon) + ", 12, "a kernel is missing"},
           {"rbf(lon)**rbf", 10, "a kernel is missing"},
           {"+ rbf", 1, "a kernel is missing"},
           {"rbf(lon) + rfb(day)", 12, "there is no kernel 'rfb' (did you mean 'rbf'?)"},
           {"rbf(lon)*periodic-ard(day,3)", 10, "there is no kernel 'periodic-ard'"},
           {"rbf(lon,dya)", 9, "there is no input 'dya' (did you mean 'day'?)"},
           {"rbf(lon,day,lon)", 13, "lon is there twice"},
           {"rbf(y)", 5, "there is no input 'y'"},
           {"rbf(lon,error)", 9, "error says what is known of the noise, and is no input"},
           {"periodic(error,2)", 10, "error says what is known of the noise, and is no input"},
           {"periodic(site,2)", 10, "periodic needs an input of numbers"},
           {"rbf*periodic", 5, "periodic needs an input and its period"},
           {"periodic", 1, "periodic needs an input and its period"},
           {"periodic(day)", 13, "periodic needs a period behind its input"},
           {"periodic(day,)", 14, "a period is a positive number, not ''"},
           {"periodic(day,0)", 14, "a period is a positive number, not '0'"},
           {"periodic(day,-3)", 14, "a period is a positive number, not '-3'"},
           {"periodic(day,1e999)", 14, "a period is a positive number, not '1e999'"},
           {"periodic(day,inf)", 14, "a period is a positive number, not 'inf'"},
           {"periodic(day,nan)", 14, "a period is a positive number, not 'nan'"},
           {"periodic(day,7 days)", 14, "a period is a positive number, not '7 days'"},
           {"periodic(day,7,lon)", 15, "expected ',' or ')'"},
           {"rbf()", 5, "the name of an input is missing; the inputs are lon,"},
           {"rbf(lon,)", 9, "the name of an input is missing"},
           {"rbf(fly ash (kg))", 5, "there is no input 'fly ash'; the inputs are lon,"},
           {"(rbf + matern12)", 1, "there are no brackets around sums or products"},
       }) {
    const std::string found = refusal(bad.expression);
    const std::string expected = "the kernel '" + std::string(bad.expression) + "', at character " +
                                 std::to_string(bad.place) + ": " + bad.says;
    EXPECT_TRUE(found.starts_with(expected)) << found << "\nand not\n" << expected;
    EXPECT_EQ(found.find('\n'), std::string::npos);
  }
}

TEST(ParseKernel, AnUnknownInputListsTheInputs) {
  const std::string sentence = refusal("rbf(x)");
  EXPECT_TRUE(contains(sentence, "the inputs are lon, fly ash (kg), day, site")) << sentence;
  EXPECT_FALSE(contains(sentence, "error")) << sentence;  // which is none
}

TEST(ParseKernel, ANameWithBracketsIsToldToStandInQuotes) {
  EXPECT_TRUE(
      contains(refusal("rbf(fly ash (kg))"), "stands in double quotes, as in rbf(\"a (m)\")"));
}

TEST(ParseKernel, AnUnknownShapeListsTheShapes) {
  EXPECT_TRUE(contains(refusal("rbf(lon)*spline"), "matern52-ard, periodic"));
}

TEST(ParseKernel, TextsByChanceAreReadBackFromTheirNames) {
  Dataset numbered = testing::mixed_table(4, 1);
  numbered.features = {"1", "2", "3", "4", "5"};
  for (unsigned seed = 0; seed < 300; ++seed) {
    const std::string text = testing::RandomKernels(seed).expression();
    const std::string name = name_of(parse_kernel(text, testing::mixed_table(4, 1)));
    EXPECT_EQ(name_of(parse_kernel(name, numbered)), name) << text;
  }
}

}  // namespace
}  // namespace ulisse
