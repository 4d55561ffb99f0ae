#include "fit/fit_record.h"

#include <gtest/gtest.h>

#include "support/written_fit.h"
#include "ulisse/error.h"

namespace ulisse {
namespace {

using Json = nlohmann::ordered_json;

Json written_again(const FitRecord& record) {
  Json json = to_json(record);
  add_setup(record, json);
  add_draws(record, json);
  return json;
}

// Keys that a record reads but does not write, or the other way round, would be missing here.
TEST(FitRecord, IsWrittenWithTheKeysAndValuesThatItWasReadFrom) {
  const testing::WrittenFit fit("fit_record_test");
  const Json first = written_again(fit_record(fit.json(), "fit.json"));
  EXPECT_EQ(first, written_again(fit_record(first, "fit.json")));
  for (const auto& [key, value] : fit.json().items()) {
    ASSERT_TRUE(first.contains(key)) << key;
    if (!value.is_object()) continue;
    for (const auto& [inner, part] : value.items()) {
      EXPECT_EQ(first.at(key).at(inner), part) << key << "." << inner;
    }
  }
}

TEST(FitRecord, TablesThatAreMoreThanNumbersAreReadAsTheyWereWritten) {
  FitRecord record{.status = "running",
                   .settings = settings_for("mh", "default", 3),
                   .data = FitRecord::Data{.file = "table.csv",
                                           .target = "y",
                                           .features = {"colour", "day", "x", "error"},
                                           .all_features = {"colour", "one", "day", "x", "error"},
                                           .levels = {{"red", "green"}, {}, {}, {}},
                                           .first_days = {"", "1958-03-29", "", ""},
                                           .known_noise = KnownNoise{3, true},
                                           .drop_missing = true,
                                           .rows = 3}};
  const Json json = to_json(record);
  EXPECT_EQ(json["data"]["levels"], Json({{"colour", {"red", "green"}}}));
  EXPECT_EQ(json["data"]["known_noise"], Json({{"column", "error"}, {"kind", "variance"}}));
  FitRecord::Data read;
  JsonFieldsReader reader(JsonReader(json["data"], "fit.json"));
  read.fields(reader);
  EXPECT_EQ(read.levels, record.data->levels);
  EXPECT_EQ(read.first_days, record.data->first_days);
  EXPECT_EQ(read.known_noise->column, 3);
  EXPECT_TRUE(read.known_noise->is_variance && read.drop_missing);
  EXPECT_EQ(read.all_features, record.data->all_features);
}

std::string message(const Json& json) {
  try {
    fit_record(json, "fit.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(FitRecord, WhatIsNoNumberIsRefusedWithItsPlaceAndWhatItMustBe) {
  const testing::WrittenFit fit("fit_record_test");
  Json json = fit.json();
  json["chains"][1]["history"]["steps"] = {1.5};
  EXPECT_EQ(message(json),
            "fit.json: chains[1].history.steps: must be a list as long as that of iterations, is a "
            "list of 1");
  json = fit.json();
  json["chains"][0]["cut_drifts"] = -1;
  EXPECT_EQ(message(json),
            "fit.json: chains[0].cut_drifts: must be a whole number from 0 on, is -1");
  json = fit.json();
  json["seconds_setup"] = -1.5;
  EXPECT_EQ(message(json), "fit.json: seconds_setup: must be a number from 0 on, is -1.5");
}

TEST(FitRecord, ReasonsOfEarlierVersionsAreSentencesAndStaySo) {
  const testing::WrittenFit fit("fit_record_test");
  Json json = fit.json();
  json["sampler_reason"] = "";
  EXPECT_FALSE(fit_record(json, "fit.json").sampler_reason.given());
  json["sampler_reason"] = "mh would take about 3 s here";
  const FitRecord record = fit_record(json, "fit.json");
  EXPECT_EQ(to_text(record.sampler_reason), "mh would take about 3 s here");
  EXPECT_EQ(to_text(fit_record(to_json(record), "fit.json").sampler_reason),
            "mh would take about 3 s here");
}

TEST(FitRecord, AReasonHasACodeThatThereIsAndValues) {
  const testing::WrittenFit fit("fit_record_test");
  Json json = fit.json();
  json["sampler_reason"] = {{"code", "whim"}, {"values", Json::object()}};
  EXPECT_EQ(message(json),
            "fit.json: sampler_reason.code: must be the code of a reason, is \"whim\"");
  json["sampler_reason"] = {{"code", "exact_needs_memory"}, {"values", Json::object()}};
  EXPECT_EQ(message(json), "fit.json: sampler_reason.values.rows: is missing");
  json["sampler_reason"] = {{"code", "exact_needs_memory"}, {"values", {1, 2}}};
  EXPECT_EQ(message(json),
            "fit.json: sampler_reason.values: must be an object of numbers and texts, is a list of "
            "2");
}

}  // namespace
}  // namespace ulisse
