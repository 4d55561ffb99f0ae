// What read_csv() says of column names.

#include <gtest/gtest.h>

#include <string>

#include "data/text.h"
#include "temporary_file.h"
#include "ulisse/dataset.h"

namespace ulisse {
namespace {

TEST(ColumnChoice, AnUnknownNameListsTheColumnsAndSuggestsTheNearest) {
  EXPECT_EQ(error_for("age,water,y\n1,2,3\n", {.target = "wather"}),
            "data.csv:1: there is no column 'wather' (did you mean 'water'?); "
            "the file has 'age', 'water', 'y'");
  EXPECT_EQ(error_for("age,y\n1,2\n", {.target = "y", .features = {"AGE"}}),
            "data.csv:1: there is no column 'AGE' (did you mean 'age'?); the file has 'age', 'y'");
  EXPECT_EQ(error_for("age,y\n1,2\n", {.target = "strength"}),
            "data.csv:1: there is no column 'strength'; the file has 'age', 'y'");
}

TEST(ColumnChoice, ALongListOfColumnsIsCut) {
  std::string header = "c1";
  for (int k = 2; k <= 100; ++k) header += ",c" + std::to_string(k);
  EXPECT_EQ(
      error_for(header + "\n", {.target = "strength"}),
      "data.csv:1: there is no column 'strength'; the file has 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', "
      "'c7', 'c8', 'c9', 'c10', 'c11', 'c12' and 88 more");
}

TEST(ColumnChoice, AnotherSeparatorIsRecognised) {
  EXPECT_EQ(error_for("a;y\n1;2\n"),
            "data.csv:1: there is no column 'y'; the file has 'a;y' "
            "(the header contains semicolons; if they separate it, separator = \";\")");
  EXPECT_EQ(error_for("a\ty\n1\t2\n"),
            "data.csv:1: there is no column 'y'; the file has 'a\\x09y' "
            "(the header contains tabs; if they separate it, separator = \"tab\")");
  EXPECT_EQ(error_for("a y\n1 2\n"),
            "data.csv:1: there is no column 'y'; the file has 'a y' "
            "(the header contains no commas; separate by commas)");
  EXPECT_EQ(error_for("a,y\n1,2\n", {.target = "y", .separator = ';'}),
            "data.csv:1: there is no column 'y'; the file has 'a,y' "
            "(the header contains commas; if they separate it, separator = \",\")");
}

TEST(ColumnChoice, ACommentInFrontOfTheHeaderIsRecognised) {
  EXPECT_EQ(error_for("# made by hand\na,y\n1,2\n"),
            "data.csv:1: there is no column 'y'; the file has '# made by hand'; the first line "
            "starts with "
            "'#', and the header must come before any comment");
}

// "größe" in Windows-1252 was once said not to be there, and nothing else.
TEST(ColumnChoice, AHeaderThatIsNotUtf8SaysSoWhateverTheTarget) {
  EXPECT_EQ(error_for("gr\xF6\xDF"
                      "e,y\n1,2\n",
                      {.target = "größe"}),
            "data.csv:1: there is no column 'größe'; the file has 'gr\\xF6\\xDFe', 'y'; the header "
            "is not "
            "UTF-8, so save the file as UTF-8");
}

TEST(ColumnChoice, AFeatureThatIsNoColumnIsTakenApartAtItsCommas) {
  const TemporaryFile file("a,\"b, c\",y\n1,2,3\n");
  const auto features = [&](std::vector<std::string> chosen) {
    return read_csv(file.path(), {.target = "y", .features = std::move(chosen)}).features;
  };
  EXPECT_EQ(features({"b, c"}), std::vector<std::string>{"b, c"});
  EXPECT_EQ(features({"b, c", "a"}), (std::vector<std::string>{"b, c", "a"}));
  const TemporaryFile plain("a,b,c,y\n1,2,3,4\n", "plain.csv");
  EXPECT_EQ(read_csv(plain.path(), {.target = "y", .features = {"c, a", "b"}}).features,
            (std::vector<std::string>{"c", "a", "b"}));
}

TEST(ColumnChoice, AnEmptyFeatureIsRefused) {
  EXPECT_EQ(error_for("a,y\n1,2\n", {.target = "y", .features = {""}}),
            "data.csv:1: the name of a feature is empty");
}

TEST(ColumnChoice, AMissingHeaderIsRecognised) {
  EXPECT_EQ(
      error_for("1.5,2\n3,4\n"),
      "data.csv:1: there is no column 'y'; the file has '1.5', '2' (is the header row missing? "
      "no_header calls the columns 1, 2, ...)");
}

TEST(ColumnChoice, ANameThatTwoColumnsHaveIsRefusedWithBothPlaces) {
  EXPECT_EQ(error_for("age,b, age ,y\n1,2,3,4\n"),
            "data.csv:1: columns 1 and 3 are both named 'age'");
}

TEST(ColumnChoice, NamesThatDifferInCapitalsAreDifferent) {
  EXPECT_EQ(error_for("Age,age,y\n1,2,3\n"), "no error");
}

TEST(ColumnChoice, AFeatureListedTwiceIsRefused) {
  EXPECT_EQ(error_for("a,b,y\n1,2,3\n", {.target = "y", .features = {"a", "b", "a"}}),
            "data.csv:1: the feature 'a' is listed twice");
}

TEST(ColumnChoice, TheTargetCannotBeAFeature) {
  EXPECT_EQ(error_for("a,y\n1,2\n", {.target = "y", .features = {"a", "y"}}),
            "data.csv:1: 'y' is the target and cannot be a feature too");
}

TEST(ColumnChoice, ThereMustBeAFeature) {
  EXPECT_EQ(error_for("y\n1\n"),
            "data.csv:1: the target 'y' is the only column, there are no features");
}

TEST(ColumnChoice, ThereMustBeATarget) {
  EXPECT_EQ(error_for("a,y\n1,2\n", {.target = " "}),
            "data.csv:1: the name of the target column is empty");
}

TEST(ColumnChoice, AUsedColumnMustHaveAName) {
  EXPECT_EQ(error_for(",a,y\n1,2,3\n"),
            "data.csv:1: column 1 has no name; name it, or list the features to use");
}

TEST(ColumnChoice, AUsedNameMustBeUtf8) {
  EXPECT_EQ(error_for("gr\xF6\xDF"
                      "e,y\n1,2\n"),
            "data.csv:1: column 1: the name 'gr\\xF6\\xDFe' is not UTF-8; save the file as UTF-8");
}

TEST(ColumnChoice, TheHeadersLineIsNamedWhenBlankLinesComeFirst) {
  EXPECT_EQ(error_for("\n\na,a\n"), "data.csv:3: columns 1 and 2 are both named 'a'");
}

TEST(Text, TellsUtf8FromOtherBytes) {
  EXPECT_TRUE(is_utf8("plain, größe, 大きさ, \xF0\x9F\x93\x88"));
  EXPECT_FALSE(is_utf8("\xF6"));              // Latin-1
  EXPECT_FALSE(is_utf8("\xC3"));              // cut
  EXPECT_FALSE(is_utf8("\xC0\xAF"));          // overlong
  EXPECT_FALSE(is_utf8("\xED\xA0\x80"));      // surrogate
  EXPECT_FALSE(is_utf8("\xF4\x90\x80\x80"));  // past the last code point
  EXPECT_FALSE(is_utf8("\x80"));              // continuation first
}

TEST(Text, CutsBetweenCharacters) {
  std::string text;
  for (int k = 0; k < 30; ++k) text += "ö";
  EXPECT_TRUE(is_utf8(csv::shown(text)));
  EXPECT_TRUE(is_utf8(csv::shown("x" + text)));
}

}  // namespace
}  // namespace ulisse
