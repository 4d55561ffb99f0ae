// The file that ulisse predict writes, read again, and files that are nearly one.

#include "report/prediction_table.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "support/error_message.h"

namespace ulisse {
namespace {

using testing::contains;
using testing::message_of;

class PredictionFile : public ::testing::Test {
 protected:
  PredictionFile()
      : path_(std::filesystem::temp_directory_path() /
              ("ulisse_predictions_" + std::to_string(::getpid()) + ".csv")) {}
  ~PredictionFile() override { std::filesystem::remove(path_); }

  PredictionTable read(const std::string& text) const {
    std::ofstream(path_) << text;
    return read_predictions(path_.string());
  }
  std::string refusal(const std::string& text) const {
    return message_of([&] { read(text); });
  }

 private:
  std::filesystem::path path_;
};

TEST_F(PredictionFile, HasItsColumnsByName) {
  const PredictionTable table =
      read("sd,q95.0,x.age,mean,fit,q5,sample.1\n1,3,40,2,fit-a,0,7\n2,4,50,3,fit-a,1,8\n");
  EXPECT_EQ(table.fit, "fit-a");
  EXPECT_EQ(table.input_name, "age");
  EXPECT_EQ(table.input, (Vector(2) << 40, 50).finished());
  EXPECT_EQ(table.levels, (std::vector<double>{0.05, 0.95}));
  EXPECT_EQ(table.quantiles, (Matrix(2, 2) << 0, 3, 1, 4).finished());
  EXPECT_EQ(table.row, (Vector(2) << 1, 2).finished());
  EXPECT_EQ(table.observed.size(), 0);
}

TEST_F(PredictionFile, KnowsWhetherItsInputHasDates) {
  const PredictionTable table = read("row,x.day,mean,sd\n1,1970-01-02,3,4\n2,1970-01-04,3,4\n");
  EXPECT_TRUE(table.input_has_dates);
  EXPECT_EQ(table.input, (Vector(2) << 1, 3).finished());
  EXPECT_FALSE(read("row,x.day,mean,sd\n1,17,3,4\n").input_has_dates);
}

TEST_F(PredictionFile, WithSeveralInputsHasNoAxis) {
  const PredictionTable table = read("row,x.a,x.b,mean,sd\n5,1,2,3,4\n");
  EXPECT_EQ(table.input.size(), 0);
  EXPECT_EQ(table.row(0), 5);
  EXPECT_EQ(table.fit, "");
}

TEST_F(PredictionFile, ThatIsNoneIsRefusedInOneSentence) {
  EXPECT_TRUE(contains(refusal(""), "is empty"));
  EXPECT_TRUE(contains(refusal("mean,sd\n"), "no rows"));
  EXPECT_TRUE(contains(refusal("mean,x\n1,2\n"), "no column 'sd'"));
  EXPECT_TRUE(contains(refusal("mean,sd\n1\n"), ":2: the row has 1 field and"));
  EXPECT_TRUE(contains(refusal("mean,sd\n1,2\n1,NA\n"), ":3: 'NA' is not a number"));
  EXPECT_TRUE(contains(refusal("mean,sd,fit\n1,2,a\n1,2,b\n"), "of the fit 'b'"));
  EXPECT_TRUE(contains(refusal("mean,sd,fit\n1,2,\n"), "of the fit ''"));
}

}  // namespace
}  // namespace ulisse
