// Features that say nothing are left out, with a note.

#include <gtest/gtest.h>

#include <string>

#include "support/error_message.h"
#include "ulisse/dataset.h"

namespace ulisse {
namespace {

using testing::message_of;

Dataset table(const Matrix& x, std::vector<std::string> features) {
  return {.x = x,
          .y = Vector::LinSpaced(x.rows(), 0, 1),
          .features = std::move(features),
          .target = "y",
          .source = "data.csv"};
}

Matrix three_columns() {
  Matrix x(4, 3);
  x << 1, 7, 5, 2, 7, 6, 3, 7, 9, 4, 7, 1;
  return x;
}

TEST(ConstantFeatures, AreLeftOutWithANote) {
  Dataset data = table(three_columns(), {"a", "b", "c"});
  leave_out_constant_features(data);
  EXPECT_EQ(data.features, (std::vector<std::string>{"a", "c"}));
  EXPECT_EQ(data.all_features, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(data.x.col(0), three_columns().col(0));
  EXPECT_EQ(data.x.col(1), three_columns().col(2));
  EXPECT_EQ(data.notes,
            (std::vector<std::string>{"data.csv: column 'b' is constant (7), and was left out"}));
  EXPECT_NO_THROW(standardisation_of(data));
}

TEST(ConstantFeatures, ATableWithoutAnyStaysAsItIs) {
  Dataset data = table(three_columns().rightCols(1), {"c"});
  leave_out_constant_features(data);
  EXPECT_EQ(data.x, three_columns().rightCols(1));
  EXPECT_TRUE(data.notes.empty() && data.all_features.empty());
}

TEST(ConstantFeatures, ThatVaryByRoundingAloneAreConstant) {
  Matrix x = three_columns();
  x.col(1) << 0.3, 0.1 + 0.2, 0.3, 0.3;
  Dataset data = table(x, {"a", "b", "c"});
  leave_out_constant_features(data);
  EXPECT_EQ(data.x.cols(), 2);
}

TEST(ConstantFeatures, ManyAreCountedAndSomeAreNamed) {
  Matrix x = Matrix::Zero(3, 30);
  x.col(29) << 1, 2, 3;
  std::vector<std::string> names;
  for (int k = 0; k < 30; ++k) names.push_back("p" + std::to_string(k));
  Dataset data = table(x, names);
  leave_out_constant_features(data);
  EXPECT_EQ(data.notes.front(),
            "data.csv: 29 columns are constant, and were left out: 'p0', 'p1', 'p2', 'p3', 'p4', "
            "'p5', 'p6', 'p7', 'p8', 'p9', 'p10', 'p11' and 17 more");
  EXPECT_EQ(data.features, std::vector<std::string>{"p29"});
}

TEST(ConstantFeatures, ATableThatHasNoOthersIsRefused) {
  Dataset one = table(three_columns().middleCols(1, 1), {"b"});
  EXPECT_EQ(message_of([&] { leave_out_constant_features(one); }),
            "data.csv: column 'b' is constant (7), and there is no other input");
  Dataset two = table(Matrix::Ones(4, 2), {"b", "c"});
  EXPECT_EQ(message_of([&] { leave_out_constant_features(two); }),
            "data.csv: all of the inputs are constant, and there is nothing to learn: 'b', 'c'");
}

// Standardising refuses it in words of its own.
TEST(ConstantFeatures, OneRowIsNotCalledConstant) {
  Dataset data = table(Matrix::Ones(1, 2), {"a", "b"});
  EXPECT_NO_THROW(leave_out_constant_features(data));
  EXPECT_EQ(data.x.cols(), 2);
}

Dataset with_target(const Vector& y) {
  return {.x = Matrix::Random(y.size(), 1), .y = y, .features = {"a"}, .target = "y"};
}

TEST(TwoValues, AreNoted) {
  Vector y = Vector::Zero(12);
  y(3) = y(7) = 1;
  Dataset data = with_target(y);
  note_target(data);
  EXPECT_EQ(data.notes.front(),
            "the target is 0 or 1 in every row, and the model takes it for a number with Gaussian "
            "noise: predictions are not probabilities, and intervals may reach beyond 0 and 1");
}

std::string note_on(const Vector& y) {
  Dataset data = with_target(y);
  note_target(data);
  return data.notes.empty() ? "" : data.notes[0];
}

TEST(TargetNote, IsThereForCounts) {
  Vector counts = Vector::Zero(40);
  for (Index i = 0; i < 40; ++i) counts(i) = static_cast<double>(i * i % 7);
  EXPECT_TRUE(
      note_on(counts).starts_with("the target has whole numbers from 0 to 4 alone, as counts do, "
                                  "and the model takes them for "))
      << note_on(counts);
  EXPECT_TRUE(note_on(counts.array() * 1000).find("counts") == std::string::npos) << "too large";
}

TEST(TargetNote, IsThereForTies) {
  Vector tied = Vector::LinSpaced(40, 0.1, 3.7);
  tied.head(10).setZero();
  EXPECT_TRUE(note_on(tied).starts_with("10 rows of 40 have the target 0, and")) << note_on(tied);
  tied.head(7) = Vector::LinSpaced(7, 5.1, 6);
  EXPECT_EQ(note_on(tied), "");
  Vector few(36);
  for (Index i = 0; i < 36; ++i) few(i) = 0.25 * static_cast<double>(i % 9);
  EXPECT_TRUE(note_on(few).starts_with("the target has 9 different values only")) << note_on(few);
}

TEST(TargetNote, IsNotThereForMeasurements) {
  EXPECT_EQ(note_on(Vector::LinSpaced(12, 0.1, 1.3)), "");
  EXPECT_EQ(note_on(Vector::LinSpaced(300, 200, 499)), "") << "whole, but large";
  EXPECT_EQ(note_on(Vector::Ones(12)), "");
  EXPECT_EQ(note_on(Vector::LinSpaced(2, 0, 1)), "") << "too few rows to say";
}

}  // namespace
}  // namespace ulisse
