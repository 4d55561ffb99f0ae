// Tables without a header, and headers that may be none.

#include <gtest/gtest.h>

#include <string>

#include "temporary_file.h"
#include "ulisse/dataset.h"

namespace ulisse {
namespace {

TEST(CsvHeader, WithoutOneColumnsAreCalledByTheirPlaces) {
  const Dataset data = read_table("5,6,7\n1,2,3\n", {.target = "2", .header = false});
  EXPECT_EQ(data.features, (std::vector<std::string>{"1", "3"}));
  EXPECT_EQ(data.target, "2");
  EXPECT_EQ(data.y, Vector((Vector(2) << 6, 2).finished()));
  EXPECT_EQ(data.x(0, 1), 7);
  EXPECT_TRUE(data.notes.empty());
}

TEST(CsvHeader, WithoutOneAnUnknownColumnListsThePlaces) {
  EXPECT_EQ(error_for("5,6\n1,2\n", {.target = "y", .header = false}),
            "data.csv:1: there is no column 'y'; the file has '1', '2'");
}

TEST(CsvHeader, WithoutOneAHeaderThatIsThereIsNotANumber) {
  EXPECT_TRUE(error_for("a,y\n1,2\n", {.target = "2", .header = false})
                  .starts_with("data.csv:1: column '2': 'y' is not a number, and the target must"));
  EXPECT_TRUE(error_for("a,1\n1,2\n3,4\n", {.target = "2", .header = false})
                  .starts_with("data.csv:1: column '1': 'a' is not a number, as most cells"));
}

// The first row was once lost without a word.
TEST(CsvHeader, OfNumbersAloneIsNoted) {
  const Dataset data = read_table("1.5,2\n3,4\n5,6\n", {.target = "2"});
  EXPECT_EQ(data.y.size(), 2);
  ASSERT_EQ(data.notes.size(), 1U);
  EXPECT_TRUE(data.notes[0].ends_with(
      ":1: the line has numbers alone, and was taken for the names of the columns; if it is data, "
      "no_header calls the columns 1, 2, ..."))
      << data.notes[0];
  EXPECT_TRUE(read_table("1.5,y\n3,4\n5,6\n", {.target = "y"}).notes.empty());
}

TEST(CsvHeader, OfNumbersAloneThatIsRefusedOffersToDoWithoutIt) {
  const std::string offer = " (is the header row missing? no_header calls the columns 1, 2, ...)";
  EXPECT_EQ(error_for("1,2\n3,4\n", {.target = "y"}),
            "data.csv:1: there is no column 'y'; the file has '1', '2'" + offer);
  EXPECT_EQ(error_for("1,1\n3,4\n", {.target = "1"}),
            "data.csv:1: columns 1 and 2 are both named '1'" + offer);
}

// Once an exception of the standard library's.
TEST(CsvHeader, AnOptionalTargetThatIsNotThereLeavesEveryColumnAFeature) {
  const Dataset data = read_table("a,b\n1,2\n3,4\n", {.target = "y", .target_optional = true});
  EXPECT_EQ(data.features, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(data.x(1, 1), 4);
  EXPECT_EQ(data.y.size(), 0);
  EXPECT_EQ(data.target, "");
}

TEST(CsvHeader, ATextTargetGetsAdviceForATarget) {
  EXPECT_EQ(error_for("a,y\n1,red\n", {.target = "y"}),
            "data.csv:2: column 'y': 'red' is not a number, and the target must be one; code two "
            "classes as 0 and 1, ordered ones as 1, 2, 3, ..., or name another column as target");
}

}  // namespace
}  // namespace ulisse
