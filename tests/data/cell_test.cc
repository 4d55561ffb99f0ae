#include "data/cell.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace ulisse::csv {
namespace {

double value_of(std::string_view text) {
  const Cell cell = parse_cell(text);
  EXPECT_EQ(cell.kind, CellKind::number) << text;
  return cell.value;
}

TEST(Cell, TakesDecimalNumbersInEveryNotation) {
  EXPECT_EQ(value_of("12"), 12);
  EXPECT_EQ(value_of("-1.25"), -1.25);
  EXPECT_EQ(value_of("+3"), 3);
  EXPECT_EQ(value_of("1e-3"), 1e-3);
  EXPECT_EQ(value_of("1E5"), 1e5);
  EXPECT_EQ(value_of("-2.5e+10"), -2.5e10);
  EXPECT_EQ(value_of(".5"), 0.5);
  EXPECT_EQ(value_of("5."), 5);
  EXPECT_EQ(value_of("007"), 7);
}

TEST(Cell, RoundsToTheNearestDouble) {
  EXPECT_EQ(value_of("0.1"), 0.1);
  EXPECT_EQ(value_of("0.1000000000000000055511151231257827021181583404541015625"), 0.1);
  EXPECT_EQ(value_of("1.7976931348623157e308"), std::numeric_limits<double>::max());
  EXPECT_EQ(value_of("9007199254740993"), 9007199254740992);
}

TEST(Cell, ANumberTooSmallBecomesZeroOrSubnormal) {
  EXPECT_EQ(value_of("1e-999"), 0);
  EXPECT_EQ(value_of("-1e-999"), 0);
  EXPECT_EQ(value_of("+1e-99999999999999999999"), 0);
  EXPECT_EQ(value_of("0." + std::string(400, '0') + "1"), 0);
  EXPECT_EQ(value_of("123" + std::string(400, '0') + "e-900"), 0);
  EXPECT_EQ(value_of("5e-324"), std::numeric_limits<double>::denorm_min());
}

TEST(Cell, ZeroWithAnyExponentIsZero) {
  EXPECT_EQ(value_of("0e999"), 0);
  EXPECT_EQ(value_of("0.0e-99999999999999999999"), 0);
}

TEST(Cell, ANumberTooLargeIsNotFinite) {
  const std::string long_number = "1" + std::string(400, '0');
  for (const std::string& text :
       {std::string("1e999"), std::string("-1e999"), std::string("1.8e308"),
        std::string("1e99999999999999999999"), std::string("0.001e+400"), long_number,
        long_number + ".5", "0." + std::string(400, '0') + "1e800"}) {
    EXPECT_EQ(parse_cell(text).kind, CellKind::not_finite) << text;
  }
}

TEST(Cell, InfinityInAnyCaseIsNotFinite) {
  for (const char* text : {"inf", "Inf", "-INF", "+inf", "infinity", "-Infinity"}) {
    EXPECT_EQ(parse_cell(text).kind, CellKind::not_finite) << text;
  }
}

// How R, pandas and C write a value that is not there.
TEST(Cell, NanInAnyCaseIsMissing) {
  for (const char* text : {"nan", "NaN", "NAN", "-nan", "+NaN", "nan(ind)"}) {
    EXPECT_EQ(parse_cell(text).kind, CellKind::missing) << text;
  }
}

TEST(Cell, ADecimalCommaIsRecognised) {
  for (const char* text : {"1,5", "-0,25", ",5", "1,5e3"})
    EXPECT_TRUE(has_decimal_comma(text)) << text;
  for (const char* text : {"1.5", "a,b", "1,2,3", ",", ""})
    EXPECT_FALSE(has_decimal_comma(text)) << text;
}

TEST(Cell, WordsForNoValueAreMissing) {
  for (const char* text : {"", "NA", "na", "N/A", "n/a", "<NA>", "#N/A", "null", "NULL", "nil",
                           "None", "?", "-", "--", ".", "missing", "Missing"}) {
    EXPECT_EQ(parse_cell(text).kind, CellKind::missing) << text;
  }
}

TEST(Cell, AnythingElseIsNotANumber) {
  for (const char* text :
       {"abc",     "0x10",  "0X1p3", "1,5",       "1 2", "1.0abc",     "1e",
        "1e+",     "e5",    "1.2.3", "--1",       "+-1", "++1",        "-+1",
        "+",       "1_000", "1'000", "$5",        "5%",  "1d5",        "true",
        "infinit", "nano",  "\xEF",  "1\xC2\xA0", "1/2", "2024-01-01", "12:30"}) {
    EXPECT_EQ(parse_cell(text).kind, CellKind::not_a_number) << text;
  }
}

}  // namespace
}  // namespace ulisse::csv
