// What read_csv() takes.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "temporary_file.h"
#include "ulisse/dataset.h"

namespace ulisse {
namespace {

using Names = std::vector<std::string>;

// Two features a and b, two rows.
void expect_small_table(const Dataset& data) {
  EXPECT_EQ(data.x, (Matrix(2, 2) << 1, 2, 4, 5).finished());
  EXPECT_EQ(data.y, (Vector(2) << 3, 6).finished());
  EXPECT_EQ(data.features, (Names{"a", "b"}));
  EXPECT_EQ(data.target, "y");
}

TEST(CsvReader, ReadsAPlainTable) { expect_small_table(read_table("a,b,y\n1,2,3\n4,5,6\n")); }

TEST(CsvReader, TakesAnotherSeparator) {
  const std::string table = "a;b;y\n1;2;3\n4;5;6\n";
  for (const char separator : {';', '\t', '|'}) {
    std::string content = table;
    std::replace(content.begin(), content.end(), ';', separator);
    expect_small_table(read_table(content, {.target = "y", .separator = separator}));
  }
  expect_small_table(read_table("\"a\"\t\"b\"\t\"y\"\n1 \t\"2\"\t3\n4\t5\t 6\n",
                                {.target = "y", .separator = '\t'}));
}

// A tab that separates was once dropped as white space in front of a quote.
TEST(CsvReader, AnEmptyCellBetweenTabsIsACell) {
  const Dataset data = read_table("t\ta\tb\ty\n\t1\t\"2\"\t3\n\t4\t\"5\"\t6\n",
                                  {.target = "y", .features = {"a", "b"}, .separator = '\t'});
  expect_small_table(data);
}

TEST(CsvReader, RefusesASeparatorThatNumbersContain) {
  for (const char separator : {'.', '-', '1', 'e', '"', ' ', '\n'}) {
    const std::string message =
        error_of([&] { read_table("a,y\n1,2\n", {.target = "y", .separator = separator}); });
    EXPECT_NE(message.find("cannot separate"), std::string::npos) << message;
  }
}

TEST(CsvReader, TakesEveryOtherColumnInTheFilesOrderWhenNoFeaturesAreNamed) {
  const Dataset data = read_table("y,b,a\n3,2,1\n");
  EXPECT_EQ(data.features, (Names{"b", "a"}));
  EXPECT_EQ(data.x, (Matrix(1, 2) << 2, 1).finished());
}

TEST(CsvReader, TakesTheNamedFeaturesInTheOrderNamed) {
  const Dataset data = read_table("a,b,c,y\n1,2,3,4\n", {.target = "y", .features = {"c", "a"}});
  EXPECT_EQ(data.features, (Names{"c", "a"}));
  EXPECT_EQ(data.x, (Matrix(1, 2) << 3, 1).finished());
  EXPECT_EQ(data.y[0], 4);
}

TEST(CsvReader, LetsColumnsThatAreNotUsedHoldTextAndGaps) {
  const Dataset data =
      read_table("a,note,y\n1,hello,2\n3,,4\n5,NaN,6\n", {.target = "y", .features = {"a"}});
  EXPECT_EQ(data.x, (Matrix(3, 1) << 1, 3, 5).finished());
}

TEST(CsvReader, RemembersTheFile) {
  const TemporaryFile file("a,y\n1,2\n");
  EXPECT_EQ(read_csv(file.path(), {.target = "y"}).source, file.path());
}

TEST(CsvReader, TakesAnyLineEnd) {
  expect_small_table(read_table("a,b,y\r\n1,2,3\r\n4,5,6\r\n"));
  expect_small_table(read_table("a,b,y\r1,2,3\r4,5,6\r"));
  expect_small_table(read_table("a,b,y\n1,2,3\r\n4,5,6\r"));
}

TEST(CsvReader, TakesALastLineWithoutAnEnd) {
  expect_small_table(read_table("a,b,y\n1,2,3\n4,5,6"));
  expect_small_table(read_table("a,b,y\r\n1,2,3\r\n4,5,6"));
}

TEST(CsvReader, SkipsLinesOfOnlyWhiteSpace) {
  expect_small_table(read_table("\n  \na,b,y\n1,2,3\n\n4,5,6\n\n \t \n\n"));
  expect_small_table(read_table("a,b,y\r\n1,2,3\r\n4,5,6\r\n\r\n  \r\n"));
}

TEST(CsvReader, DropsAByteOrderMark) {
  expect_small_table(
      read_table("\xEF\xBB\xBF"
                 "a,b,y\n1,2,3\n4,5,6\n"));
  expect_small_table(read_table("\xEF\xBB\xBF\"a\",b,y\n1,2,3\n4,5,6\n"));
}

TEST(CsvReader, DropsSpacesAndTabsAroundFields) {
  expect_small_table(read_table(" a ,\tb,y \n 1 ,2\t,  3\n4 , 5,6 \n"));
  expect_small_table(read_table(" \"a\" , \" b \",y\n \"1\" ,\" 2\",3\n4,5 , \"6\" \n"));
}

TEST(CsvReader, DropsSpacesAroundTheNamesAskedFor) {
  const Dataset data = read_table("a,b,y\n1,2,3\n", {.target = " y", .features = {" b "}});
  EXPECT_EQ(data.features, Names{"b"});
  EXPECT_EQ(data.target, "y");
}

TEST(CsvReader, TakesNamesWithCommasQuotesSpacesAndLineEnds) {
  const Dataset data = read_table(
      "\"size, mm\",\"so-called \"\"weight\"\"\",net price,\"two\nlines\",y\n1,2,3,4,5\n");
  EXPECT_EQ(data.features, (Names{"size, mm", "so-called \"weight\"", "net price", "two\nlines"}));
}

TEST(CsvReader, TakesAQuoteWithinAFieldAsAPlainCharacter) {
  const Dataset data =
      read_table("pipe 5\",text,y\n1,6\" pipe,2\n", {.target = "y", .features = {"pipe 5\""}});
  EXPECT_EQ(data.x(0, 0), 1);
}

TEST(CsvReader, TakesQuotedFieldsWithCommasAndLineEndsInARow) {
  const Dataset data =
      read_table("t,a,y\n\"one, \"\"two\"\"\r\nthree\n\n\",1,2\n\"\",\"3\",\"4\"\n",
                 {.target = "y", .features = {"a"}});
  EXPECT_EQ(data.x, (Matrix(2, 1) << 1, 3).finished());
  EXPECT_EQ(data.y, (Vector(2) << 2, 4).finished());
}

TEST(CsvReader, TakesNamesInAnyScript) {
  EXPECT_EQ(read_table("größe,y\n1,2\n").features, Names{"größe"});
}

TEST(CsvReader, TakesAColumnWithoutANameThatIsNotUsed) {
  const Dataset data = read_table("\"\",a,,y\n1,2,3,4\n", {.target = "y", .features = {"a"}});
  EXPECT_EQ(data.x(0, 0), 2);
}

TEST(CsvReader, ReadsGzip) { expect_small_table(read_table(gzipped("a,b,y\n1,2,3\n4,5,6\n"))); }

TEST(CsvReader, ReadsGzipOfSeveralMembers) {
  expect_small_table(read_table(gzipped("a,b,y\n1,2") + gzipped(",3\n4,5,6\n")));
}

TEST(CsvReader, ReadsAPlainFileWhateverItsName) {
  const TemporaryFile file("a,b,y\n1,2,3\n4,5,6\n", "data.csv.gz");
  expect_small_table(read_csv(file.path(), {.target = "y"}));
}

TEST(CsvReader, ReadsALineLongerThanItsBuffer) {
  const std::string text(3'000'000, 'x');
  const Dataset data = read_table("t,a,y\n" + text + ",1,2\n\"" + text + "\",3,4\n",
                                  {.target = "y", .features = {"a"}});
  EXPECT_EQ(data.x, (Matrix(2, 1) << 1, 3).finished());
}

TEST(CsvReader, ReadsTheConcreteData) {
  const Dataset data = read_csv(ULISSE_CONCRETE_CSV, {.target = "strength"});
  EXPECT_EQ(data.x.rows(), 1030);
  EXPECT_EQ(data.x.cols(), 8);
  EXPECT_EQ(data.features.front(), "cement");
  EXPECT_EQ(data.x(0, 3), 162);
  EXPECT_EQ(data.y[1], 61.89);
}

}  // namespace
}  // namespace ulisse
