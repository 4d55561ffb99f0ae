// What read_csv() says of a file whose cells or rows it cannot take.

#include <gtest/gtest.h>

#include <string>

#include "temporary_file.h"
#include "ulisse/dataset.h"

namespace ulisse {
namespace {

const std::string text_column =
    "; mend the cell, or leave the column out with exclude, or take it for a category with "
    "categories";
const std::string target_advice =
    ", and the target must be one; code two classes as 0 and 1, ordered ones as 1, 2, 3, ..., or "
    "name another column as target";

TEST(CsvReader, NamesLineColumnAndValueOfACellThatIsNotANumber) {
  EXPECT_EQ(error_for("age,y\n1,2\nabc,3\n"),
            "data.csv:3: column 'age': 'abc' is not a number" + text_column);
  EXPECT_EQ(error_for("age,y\n1,2\n3,4 5\n"),
            "data.csv:3: column 'y': '4 5' is not a number" + target_advice);
}

TEST(CsvReader, ADecimalCommaIsNamed) {
  const std::string message =
      "data.csv:2: column 'age': '1,5' is not a number; numbers need a decimal point";
  EXPECT_EQ(error_for("age,y\n\"1,5\",2\n"), message);
  EXPECT_EQ(error_for("age;y\n1,5;2\n", {.target = "y", .separator = ';'}), message);
  EXPECT_EQ(error_for("age,y\n1,5,2,5\n"),
            "data.csv:2: the row has 4 fields and the header 2; the first too many is '2' (numbers "
            "need a decimal point, not a comma)");
}

TEST(CsvReader, NamesLineColumnAndValueOfACellThatIsNotFinite) {
  EXPECT_EQ(error_for("a,y\n1,2\n-inf,2\n"), "data.csv:3: column 'a': '-inf' is not finite");
  EXPECT_EQ(error_for("a,y\n1e999,2\n"), "data.csv:2: column 'a': '1e999' is not finite");
}

TEST(CsvReader, NamesTheFirstMissingCellAndCountsTheRowsThatHaveOne) {
  EXPECT_EQ(error_for("a,b,y\n1,2,3\n4,,6\n7,8,9\n,,\n1,2,NA\n"),
            "data.csv:3: column 'b': the cell is empty; 3 rows of 5 have missing cells; "
            "drop_missing leaves them out");
  EXPECT_EQ(error_for("a,b,y\n1,2,3\n4,n/a,6\n"),
            "data.csv:3: column 'b': the cell is missing ('n/a'); 1 row of 2 has missing cells; "
            "drop_missing leaves it out");
  EXPECT_EQ(error_for("a,y\n1,NaN\n2,3\n"),
            "data.csv:2: column 'y': the cell is missing ('NaN'); 1 row of 2 has missing cells; "
            "drop_missing leaves it out");
}

TEST(CsvReader, DoesNotCountMissingCellsOfColumnsThatAreNotUsed) {
  EXPECT_EQ(error_for("a,b,y\n,1,2\n,,3\n,1,4\n", {.target = "y", .features = {"b"}}),
            "data.csv:3: column 'b': the cell is empty; 1 row of 3 has missing cells; "
            "drop_missing leaves it out");
}

TEST(CsvReader, NamesTheLineOfARaggedRow) {
  EXPECT_EQ(error_for("a,b,y\n1,2,3\n4,5\n"),
            "data.csv:3: the row has 2 fields and the header 3; there is none for column 'y'");
  EXPECT_EQ(error_for("a,b,y\n1\n"),
            "data.csv:2: the row has 1 field and the header 3; there is none for column 'b'");
  EXPECT_EQ(
      error_for("a,y\n1,2,30,4\n"),
      "data.csv:2: the row has 4 fields and the header 2; the first too many is '30' (numbers "
      "need a decimal point, not a comma)");
}

TEST(CsvReader, CountsPhysicalLines) {
  const CsvOptions options{.target = "y", .features = {"a"}};
  EXPECT_EQ(error_for("t,a,y\n\"one\ntwo\n\",1,2\n\nthree,x,4\n", options),
            "data.csv:6: column 'a': 'x' is not a number" + text_column);
  EXPECT_EQ(error_for("t,a,y\r\n\"one\r\ntwo\",1,x\r\n", options),
            "data.csv:3: column 'y': 'x' is not a number" + target_advice);
  EXPECT_EQ(error_for("a,y\r1,2\r\rx,3\r"),
            "data.csv:4: column 'a': 'x' is not a number" + text_column);
}

TEST(CsvReader, NamesTheLineOfAQuoteThatIsNeverClosed) {
  EXPECT_EQ(error_for("a,y\n1,2\n3,\"4\n5,6\n"),
            "data.csv:3: field 2: the quote in front of '4\\x0A5,6' is never closed");
}

TEST(CsvReader, StopsAtAnOpenQuoteBeforeItFillsTheMemory) {
  std::string row(999, 'x');
  row += '\n';
  std::string content = "t,a,y\n\"";
  for (int k = 0; k < 20'000; ++k) content += row;
  EXPECT_EQ(error_for(gzipped(content)), "data.csv:2: field 1: the quote in front of '" +
                                             std::string(40, 'x') + "...' is never closed");
}

TEST(CsvReader, StopsAtAnEndlessLine) {
  std::string content = "a,y\n";
  content.resize(20'000'000, 'x');
  EXPECT_EQ(error_for(gzipped(content)),
            "data.csv:2: the line is longer than 16 MiB; the file is not a table of text");
}

TEST(CsvReader, NamesWhatFollowsAClosingQuote) {
  EXPECT_EQ(error_for("a,y\n1,\"2\"3\n"), "data.csv:2: field 2: '3' follows the closing quote");
  EXPECT_EQ(error_for("\"a\";\"y\"\n1;2\n"),
            "data.csv:1: field 1: ';\"y\"' follows the closing quote; if it separates, separator = "
            "\";\"");
}

TEST(CsvReader, RefusesNulBytes) {
  using std::string_literals::operator""s;
  EXPECT_EQ(error_for("a,y\n1,2\n3\0,4\n"s),
            "data.csv:3: the line holds a NUL byte; the file is not UTF-8 text");
}

TEST(CsvReader, RecognisesUtf16) {
  using std::string_literals::operator""s;
  const std::string message = "data.csv: looks like UTF-16; save it as UTF-8";
  EXPECT_EQ(error_for("\xFF\xFE"
                      "a\0,\0y\0\n\0"s),
            message);
  EXPECT_EQ(error_for("\xFE\xFF"
                      "\0a\0,\0y\0\n"s),
            message);
}

TEST(CsvReader, CutsLongValuesAndEscapesControlCharacters) {
  EXPECT_EQ(
      error_for("a,y\n2,1\n" + std::string(1000, 'x') + ",1\n"),
      "data.csv:3: column 'a': '" + std::string(40, 'x') + "...' is not a number" + text_column);
  EXPECT_EQ(error_for("a,y\n2,1\n\x1B[31m,1\n"),
            "data.csv:3: column 'a': '\\x1B[31m' is not a number" + text_column);
  EXPECT_EQ(error_for("a,y\n2,1\n\xFF,1\n"),
            "data.csv:3: column 'a': '\\xFF' is not a number" + text_column);
  EXPECT_EQ(error_for("a,y\nb,1\n\xFF,1\n"),
            "data.csv:3: column 'a': '\\xFF' is not UTF-8; save the file as UTF-8");
}

TEST(CsvReader, RefusesATableWithoutRows) {
  EXPECT_EQ(error_for("a,y\n"), "data.csv: there are no rows below the header");
  EXPECT_EQ(error_for("a,y"), "data.csv: there are no rows below the header");
  EXPECT_EQ(error_for("a,y\r\n\r\n  \r\n"), "data.csv: there are no rows below the header");
}

TEST(CsvReader, RefusesAnEmptyFile) {
  EXPECT_EQ(error_for(""), "data.csv: the file is empty");
  EXPECT_EQ(error_for("\xEF\xBB\xBF"), "data.csv: the file is empty");
  EXPECT_EQ(error_for("\n \r\n\n"), "data.csv: the file is empty");
  EXPECT_EQ(error_for(gzipped("")), "data.csv: the file is empty");
}

TEST(CsvReader, RefusesGzipThatIsTruncatedAnywhere) {
  const std::string whole = gzipped("a,y\n1,2\n3,4\n");
  for (std::size_t length = 2; length < whole.size(); ++length) {
    EXPECT_EQ(error_for(whole.substr(0, length)),
              "data.csv: the gzip data ends too early, the file is truncated")
        << length << " of " << whole.size() << " bytes";
  }
}

TEST(CsvReader, RefusesCorruptGzip) {
  std::string bytes = gzipped("a,y\n1,2\n3,4\n");
  bytes[bytes.size() - 6] ^= 1;  // within the checksum
  EXPECT_EQ(error_for(bytes), "data.csv: the gzip data is corrupt");
}

}  // namespace
}  // namespace ulisse
