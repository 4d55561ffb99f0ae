// Columns that are more than numbers: categories, dates, known noise, and rows with missing cells.

#include <gtest/gtest.h>

#include "temporary_file.h"

namespace ulisse {
namespace {

using Names = std::vector<std::string>;

bool has_note(const Dataset& data, const std::string& end) {
  for (const std::string& note : data.notes) {
    if (note.ends_with(end)) return true;
  }
  return false;
}

TEST(CsvColumns, TextsAreLevelsInTheirOrder) {
  const Dataset data = read_table("site,a,y\nelm,1,2\noak,2,3\nelm,3,4\nash,3,5\n");
  EXPECT_EQ(data.levels, (std::vector<Names>{{"elm", "oak", "ash"}, {}}));
  EXPECT_EQ(data.x.col(0), (Vector(4) << 0, 1, 0, 2).finished());
  EXPECT_FALSE(is_numeric_input(data, 0));
  EXPECT_TRUE(is_numeric_input(data, 1));
  EXPECT_TRUE(has_note(data, ": column 'site' is a category of 3 levels: 'elm', 'oak', 'ash'"));
}

TEST(CsvColumns, NumbersAreLevelsWhereTheyAreSaidToBe) {
  const Dataset data =
      read_table("site,y\n3,2\n1.0,3\n3.0,4\n1,5\n", {.target = "y", .categories = {"site"}});
  EXPECT_EQ(data.levels, (std::vector<Names>{{"3", "1"}}));
  EXPECT_EQ(data.x.col(0), (Vector(4) << 0, 1, 0, 1).finished());
}

TEST(CsvColumns, WhatIsNoCategoryIsRefused) {
  EXPECT_EQ(error_for("a,y\n12a,1\n13,2\n14,3\n15,4\n"),
            "data.csv:2: column 'a': '12a' is not a number, as most cells of the column are; mend "
            "the cell, or leave the column out with exclude, or take it for a category with "
            "categories");
  std::string names = "name,a,y\n";
  for (int i = 0; i < 30; ++i) names += "n" + std::to_string(i) + ",1,2\n";
  EXPECT_EQ(error_for(names),
            "data.csv: column 'name' has 30 different texts in 30 rows, which make no category; "
            "leave it out with exclude = \"name\", or take it for one all the same with "
            "categories = \"name\"");
  EXPECT_EQ(read_table(names, {.target = "y", .categories = {"name"}}).levels[0].size(), 30U);
  EXPECT_EQ(error_for("a,y\n1,2\n", {.target = "y", .categories = {"y"}}),
            "data.csv:1: categories names 'y', which is no input");
}

TEST(CsvColumns, LevelsMayBeWordsThatMeanNothingElsewhere) {
  const std::string content = "dose,y\nnone,2\nlow,1\nlow,3\nnone,4\n";
  const Dataset data = read_table(content, {.target = "y", .categories = {"dose"}});
  EXPECT_EQ(data.levels[0], (Names{"none", "low"}));
  EXPECT_EQ(read_table(to_csv(data), {.target = "y", .like = &data}).x, data.x);
  EXPECT_TRUE(error_for(content).starts_with("data.csv:2: column 'dose': the cell is missing"))
      << "whatever stands above it";
  EXPECT_TRUE(
      error_for("dose,y\nlow,1\nNA,2\n").starts_with("data.csv:3: column 'dose': the cell"));
}

TEST(CsvColumns, DatesAreDaysSinceTheFirst) {
  const Dataset data = read_table("day,y\n1958-03-30,1\n1958-03-29T12:00,2\n1958-04-29,3\n");
  EXPECT_EQ(data.first_days, Names{"1958-03-29"});
  EXPECT_TRUE(data.x.col(0).isApprox((Vector(3) << 1, 0.5, 31).finished(), 1e-12));
  EXPECT_TRUE(has_note(data, ": column 'day' has dates, which became days since 1958-03-29"));
  EXPECT_EQ(error_for("day,y\n1958-03-30,1\n30.3.1958,2\n"),
            "data.csv:3: column 'day': '30.3.1958' is not a date like 1958-03-29, as others of the "
            "column are");
}

TEST(CsvColumns, NumbersAreDatesWhereAllOfThemAre) {
  const Dataset data = read_table("day,y\n20150131,1\n20150201,2\n20150130,3\n");
  EXPECT_EQ(data.first_days, Names{"2015-01-30"});
  EXPECT_EQ(data.x.col(0), (Vector(3) << 1, 2, 0).finished());
  EXPECT_TRUE(has_note(data, ": column 'day' has dates, which became days since 2015-01-30"));
  const Dataset again =
      read_table("day,y\n20150301,1\n2015-03-02,2\n", {.target = "y", .like = &data});
  EXPECT_EQ(again.x.col(0), (Vector(2) << 30, 31).finished());
  for (const char* cell :
       {"20151301", "20150131.0", "2015013", "201501310", "-2015131", "2015e004"}) {
    const Dataset numbers =
        read_table(std::string("n,y\n20150131,1\n") + cell + ",2\n20150201,3\n");
    EXPECT_TRUE(numbers.first_days.empty()) << cell;
    EXPECT_EQ(numbers.x(0, 0), 20150131) << cell;
    const Dataset more = read_table("n,y\n20150131,1\n", {.target = "y", .like = &numbers});
    EXPECT_EQ(more.x(0, 0), 20150131) << "numbers, as those of the fit";
  }
  EXPECT_EQ(read_table("x,y\n1,20150131\n2,20150201\n").y(0), 20150131) << "a target is a number";
  EXPECT_EQ(
      read_table("c,y\n20150131,1\n20150201,3\n", {.target = "y", .categories = {"c"}}).levels[0],
      (Names{"20150131", "20150201"}));
}

TEST(CsvColumns, ExcludedOnesAreNoInputs) {
  const Dataset data =
      read_table("id,a,b,y\nx1,1,2,3\nx2,2,3,4\n", {.target = "y", .exclude = {"id,b"}});
  EXPECT_EQ(data.features, Names{"a"});
  const auto error = [](Names exclude, Names features) {
    return error_for("a,b,y\n1,2,3\n", {.target = "y", .features = features, .exclude = exclude});
  };
  EXPECT_EQ(error({"y"}, {}), "data.csv:1: 'y' is the target, and cannot be left out by exclude");
  EXPECT_EQ(error({"a"}, {"a"}), "data.csv:1: 'a' is asked for, and cannot be left out by exclude");
  EXPECT_EQ(error({"a,b"}, {}), "data.csv:1: all features are left out by exclude");
  EXPECT_EQ(error({"c"}, {}), "data.csv:1: there is no column 'c'; the file has 'a', 'b', 'y'");
}

TEST(CsvColumns, KnownNoiseIsNoInput) {
  const std::string content = "a,err,y\n1,0.5,3\n2,0.25,4\n";
  for (const Names& features : {Names{}, Names{"a"}}) {
    const Dataset data = read_table(content, {.target = "y", .features = features, .noise = "err"});
    ASSERT_TRUE(data.known_noise);
    EXPECT_EQ(data.known_noise->column, 1);
    EXPECT_FALSE(data.known_noise->is_variance);
    EXPECT_FALSE(is_numeric_input(data, 1));
    EXPECT_EQ(data.features, (Names{"a", "err"}));
  }
  const auto error = [](const std::string& text, const Names& features = {}) {
    return error_for(text, {.target = "y", .features = features, .noise = "err"});
  };
  EXPECT_EQ(
      error("a,err,y\n1,-0.5,3\n"),
      "data.csv:2: column 'err': '-0.5' is negative, and what is known of the noise cannot be");
  EXPECT_EQ(error("a,err,y\n1,big,3\n"),
            "data.csv:2: column 'err': 'big' is not a number, and what is known of the noise must "
            "be one");
  EXPECT_EQ(error(content, {"a", "err"}),
            "data.csv:1: 'err' says what is known of the noise and cannot be a feature too");
  EXPECT_EQ(error("err,y\n1,2\n"),
            "data.csv:1: 'err' says what is known of the noise, and there are no features beside "
            "it");
}

TEST(CsvColumns, RowsWithMissingCellsAreLeftOutWhereAskedFor) {
  const Dataset data = read_table("a,site,y\n1,elm,2\n,oak,3\n3,elm,4\n5,,6\n",
                                  {.target = "y", .drop_missing = true});
  EXPECT_EQ(data.y, (Vector(2) << 2, 4).finished());
  EXPECT_EQ(data.rows, (std::vector<Index>{1, 3}));
  EXPECT_EQ(data.levels[1], Names{"elm"}) << "of the rows that are there";
  EXPECT_TRUE(has_note(data, ": 2 rows of 4 had missing cells, and were left out"));
  EXPECT_EQ(
      error_for("a,y\n,2\n", {.target = "y", .drop_missing = true}),
      "data.csv:2: column 'a': the cell is empty; 1 row of 1 has missing cells, and no row is "
      "left");
  EXPECT_TRUE(read_table("a,y\n1,2\n", {.target = "y", .drop_missing = true}).rows.empty());
}

class AnotherTable : public ::testing::Test {
 protected:
  Dataset fitted_ = read_table("site,day,err,y\nelm,2000-01-01,1,1\noak,2000-01-03,2,2\n",
                               {.target = "y", .noise = "err"});

  Dataset read(std::string_view content, bool new_levels = false) const {
    return read_table(
        content,
        {.target = "y", .like = &fitted_, .new_levels = new_levels, .target_optional = true});
  }
};

TEST_F(AnotherTable, HasTheColumnsOfTheFirst) {
  const Dataset data = read("err,day,site\n3,2000-01-11,oak\n4,2000-01-03,elm\n");
  EXPECT_EQ(data.features, fitted_.features);
  EXPECT_EQ(data.x, (Matrix(2, 3) << 1, 10, 3, 0, 2, 4).finished());
  EXPECT_EQ(data.levels, fitted_.levels);
  EXPECT_EQ(data.first_days, fitted_.first_days);
  EXPECT_TRUE(data.notes.empty());
}

TEST_F(AnotherTable, HasDatesWhereTheFirstHas) {
  const TemporaryFile file("day,site,err\n20001311,oak,1\n");
  const std::string message = error_of(
      [&] { read_csv(file.path(), {.target = "y", .like = &fitted_, .target_optional = true}); });
  EXPECT_TRUE(
      message.ends_with("'20001311' is not a date like 1958-03-29, as others of the column are"))
      << message;
}

TEST_F(AnotherTable, NeedNotHaveTheKnownNoise) {
  const Dataset data = read("day,site\n2000-01-11,oak\n");
  EXPECT_EQ(data.features, fitted_.features);
  EXPECT_EQ(data.x, (Matrix(1, 3) << 1, 10, 0).finished());
  EXPECT_TRUE(
      has_note(data, ": there is no column 'err', so that predictions have lambda's noise alone"));
}

TEST_F(AnotherTable, HasNewLevelsOnlyWhereAskedFor) {
  const std::string content =
      "day,site,err\n2000-01-11,oak,1\n2000-01-06,ash,1\n2000-01-07,yew,1\n"
      "2000-01-08,ash,1\n";
  const TemporaryFile file(content);
  const std::string message = error_of(
      [&] { read_csv(file.path(), {.target = "y", .like = &fitted_, .target_optional = true}); });
  EXPECT_TRUE(message.ends_with(
      ":3: column 'site': 'ash' is a level that the fit has not seen; it knows 'elm', 'oak'; "
      "new_levels predicts it as one like no other"))
      << message;
  EXPECT_EQ(read(content, true).x.col(0), (Vector(4) << 1, 2, 3, 2).finished());
}

TEST_F(AnotherTable, IsReadBackFromItsOwnCopy) {
  const TemporaryFile copy(to_csv(fitted_));
  const Dataset again = read_csv(copy.path(), {.target = "y", .like = &fitted_});
  EXPECT_EQ(fingerprint(again), fingerprint(fitted_));
  EXPECT_EQ(again.x, fitted_.x);
}

TEST_F(AnotherTable, FingerprintsTellLevelsAndNoiseApart) {
  Dataset other = fitted_;
  other.levels[0][1] = "ash";
  EXPECT_NE(fingerprint(other), fingerprint(fitted_));
  other = fitted_;
  other.known_noise->is_variance = true;
  EXPECT_NE(fingerprint(other), fingerprint(fitted_));
  other = fitted_;
  other.first_days[1] = "2000-01-02";
  EXPECT_NE(fingerprint(other), fingerprint(fitted_));
}

TEST_F(AnotherTable, ConstantColumnsLeaveOthersWithWhatTheyAre) {
  Dataset data = read_table("k,site,err,day,y\n7,elm,1,2000-01-01,1\n7,oak,1,2000-01-03,2\n",
                            {.target = "y", .noise = "err"});
  leave_out_constant_features(data);
  EXPECT_EQ(data.features, (Names{"site", "err", "day"}));
  EXPECT_EQ(data.known_noise->column, 1) << "known noise may be the same in all rows";
  EXPECT_EQ(data.levels, (std::vector<Names>{{"elm", "oak"}, {}, {}}));
  EXPECT_EQ(data.first_days, (Names{"", "", "2000-01-01"}));
}

}  // namespace
}  // namespace ulisse
