// Dates of ISO 8601.

#include "data/date.h"

#include <gtest/gtest.h>

namespace ulisse::csv {
namespace {

TEST(Date, IsDaysSince1970) {
  EXPECT_EQ(parse_date("1970-01-01"), 0);
  EXPECT_EQ(parse_date("1970-02-01"), 31);
  EXPECT_EQ(parse_date("1969-12-31"), -1);
  EXPECT_EQ(parse_date("2000-03-01"), 11017);   // 2000 was a leap year
  EXPECT_EQ(parse_date("1900-03-01"), -25508);  // 1900 was none
}

TEST(Date, MayHaveATimeAndAnOffset) {
  EXPECT_EQ(parse_date("1970-01-02T12:00"), 1.5);
  EXPECT_EQ(parse_date("1970-01-02 06:00:00"), 1.25);
  EXPECT_EQ(parse_date("1970-01-01T00:00:43.2"), 43.2 / 86400);
  EXPECT_EQ(parse_date("1970-01-02T12:00Z"), 1.5);
  EXPECT_EQ(parse_date("1970-01-02T12:00+06:00"), 1.25);
  EXPECT_EQ(parse_date("1970-01-02T12:00-0600"), 1.75);
  EXPECT_EQ(parse_date("1970-01-02T12:00+06"), 1.25);
}

TEST(Date, OfAMonthIsItsFirstDay) {
  EXPECT_EQ(parse_date("1970-02"), 31);
  for (const char* text : {"1970-13", "1970-00", "1970-2", "1970-02-", "1970-02T10:00", "70-02"}) {
    EXPECT_EQ(parse_date(text), std::nullopt) << text;
  }
}

TEST(Date, MayComeWithoutMarks) {
  EXPECT_EQ(parse_date("19700201"), 31);
  EXPECT_EQ(parse_date("19700102T1200"), 1.5);
  EXPECT_EQ(parse_date("19700101T000043.2Z"), 43.2 / 86400);
  EXPECT_EQ(parse_date("19700102T1200-0600"), 1.75);
  for (const char* text : {"197002", "1970021", "19700230", "19701301", "1970-0201", "197002-01",
                           "197002011", "19700102T120", "19700102T12:0000"}) {
    EXPECT_EQ(parse_date(text), std::nullopt) << text;
  }
}

TEST(Date, OtherTextsAreNone) {
  for (const char* text : {"", "1970", "1970-1-1", "1970-02-30", "1970-13-01", "1970-01-01x",
                           "1970-01-01T", "1970-01-01T25:00", "1970-01-01T10", "01/02/1970",
                           "1970-01-01T10:00:00.", "1970-01-01T10:00+6", "1970-01-01Z"}) {
    EXPECT_EQ(parse_date(text), std::nullopt) << text;
  }
}

TEST(Date, IsWrittenAsItIsRead) {
  for (const char* text : {"1970-01-01", "1958-03-29", "2024-02-29", "1899-12-31"}) {
    EXPECT_EQ(date_text(*parse_date(text)), text);
  }
  EXPECT_EQ(date_after("1958-03-29", 3), "1958-04-01");
  EXPECT_EQ(date_after("1958-03-29", 0.75), "1958-03-29T18:00:00");
  EXPECT_EQ(date_after("1958-03-29", -1 + 1.0 / 86400), "1958-03-28T00:00:01");
  EXPECT_EQ(date_after("1958-03-29", 1 - 1e-9), "1958-03-30");
}

}  // namespace
}  // namespace ulisse::csv
