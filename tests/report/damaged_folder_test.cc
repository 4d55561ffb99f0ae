// Everything that reads a fit's folder, on folders in which something is not what it must be: one
// sentence that names the file, and no crash.

#include <gtest/gtest.h>

#include "fit/summary.h"
#include "predict/saved_fit.h"
#include "report/report_data.h"
#include "report/summary_words.h"
#include "store/files.h"
#include "support/error_message.h"
#include "support/written_fit.h"
#include "ulisse/error.h"

namespace ulisse {
namespace {

using testing::contains;
using testing::message_of;
using testing::WrittenFit;
using Json = nlohmann::ordered_json;

class DamagedFolder : public ::testing::Test {
 protected:
  DamagedFolder() : fit_("damaged") {}

  const FitFolder& folder() const { return fit_.folder(); }
  const Json& json() const { return fit_.json(); }
  void put(const std::string& name, const std::string& content) const { fit_.put(name, content); }
  std::string content(const std::string& name) const {
    return read_file(folder().path() + "/" + name);
  }

  void put_json(const Json::json_pointer& at, const Json& value) const {
    Json changed = json();
    changed[at] = value;
    put("fit.json", json_text(changed));
  }

  // Where something stands in fit.json, be it a value or a part.
  std::vector<Json::json_pointer> places() const {
    std::vector<Json::json_pointer> all;
    const Json flat = json().flatten();
    for (const auto& [path, unused] : flat.items()) {
      for (Json::json_pointer at(path); !at.empty(); at.pop_back()) {
        if (std::find(all.begin(), all.end(), at) == all.end()) all.push_back(at);
      }
    }
    return all;
  }

  // What each reader says; empty where it takes the folder.
  std::vector<std::string> messages() const {
    std::vector<std::string> all;
    const auto note = [&](const auto& read) {
      try {
        read();
        all.emplace_back();
      } catch (const InputError& error) {
        all.emplace_back(error.what());
      }
    };
    note([&] {
      json_text(to_json(full_summary(load_fit(folder().path())))),
          to_text(full_summary(load_fit(folder().path())));
    });
    note([&] { json_text(report_data(load_fit(folder().path()), {})); });
    note([&] { saved_fit(load_fit(folder().path())); });
    return all;
  }

  // The sentence, which all of them must say.
  std::string message() const {
    const std::vector<std::string> all = messages();
    for (const std::string& said : all) EXPECT_EQ(said, all[0]);
    return all[0];
  }

 private:
  WrittenFit fit_;
};

TEST_F(DamagedFolder, AWholeOneIsRead) { EXPECT_EQ(message(), ""); }

// 126 of 480 edits ended in "[json.exception...]" without a file's name, and some in a crash.
TEST_F(DamagedFolder, AnyValueOfFitJsonMayBeAnything) {
  const Json replacements = {nullptr,
                             "x",
                             -3,
                             1e300,
                             18446744073709551615U,
                             Json::array(),
                             Json::object(),
                             {1, 2},
                             {{1.0, 2.0}, {3.0}}};
  int refused = 0;
  for (const Json::json_pointer& at : places()) {
    for (const Json& value : replacements) {
      put_json(at, value);
      for (const std::string& said : messages()) {
        if (said.empty()) continue;
        ++refused;
        EXPECT_TRUE(contains(said, ".json: ") || contains(said, ".csv")) << said;
        EXPECT_FALSE(contains(said, "exception")) << said;
      }
    }
  }
  EXPECT_GT(refused, 500);
}

TEST_F(DamagedFolder, AKeyOfFitJsonMayBeGone) {
  for (const Json::json_pointer& at : places()) {
    Json changed = json();
    Json& parent = changed[at.parent_pointer()];
    if (!parent.is_object()) continue;
    parent.erase(at.back());
    put("fit.json", json_text(changed));
    for (const std::string& said : messages()) {
      EXPECT_TRUE(said.empty() || contains(said, folder().path())) << said;
    }
  }
}

// Python's load took them for names, and failed where it used them.
TEST_F(DamagedFolder, ColumnsOfTheTableThatAreNoneOfTheFits) {
  for (const Json& columns : {Json(5), Json(), Json::array({"q", "r"}), Json::array({{1, 2}})}) {
    put_json(Json::json_pointer("/data/all_features"), columns);
    EXPECT_TRUE(contains(message(), "fit.json: data.all_features")) << message();
  }
}

TEST_F(DamagedFolder, NumbersOfChainsThatCannotBe) {
  for (const Json& count : {Json(0), Json(-3), Json(1000000), Json("4"), Json(2.5)}) {
    put_json(Json::json_pointer("/settings/chains"), count);
    EXPECT_TRUE(contains(message(),
                         "fit.json: settings.chains: must be a whole number from 1 to "
                         "1000, is " +
                             count.dump()))
        << message();
  }
}

TEST_F(DamagedFolder, ShapesOfFitJson) {
  const std::vector<std::pair<std::string, Json>> edits = {{"/mode/other_share", {0.1, 0.2}},
                                                           {"/mode/other_share", 1.5},
                                                           {"/mode/other_psi", {1, 2}},
                                                           {"/mode/psi", {1}},
                                                           {"/metric", {{1, 0}, {0, 1}}},
                                                           {"/metric/1", {1}},
                                                           {"/chains/1/stein", {{1, 0}, {0, 1}}},
                                                           {"/chains/0/stein/2", {1, 0}},
                                                           {"/chains", Json::array()},
                                                           {"/scaling/x_sd", {1}},
                                                           {"/scaling/x_sd", {1, 0}},
                                                           // Predictions ended in a failed check.
                                                           {"/scaling/y_sd", 1e200},
                                                           {"/data/features", Json::array()},
                                                           {"/data/features", {"a", "b", "c"}},
                                                           {"/settings/kernel", "rbf-ard"},
                                                           {"/settings/kernel", "foo"},
                                                           {"/parameters/0/prior", "gamma(-1,1)"},
                                                           {"/settings/sampler", "hmc"},
                                                           {"/chains/0/history/steps", {1}},
                                                           {"/setup/trace", "some"},
                                                           {"/seconds_sampling", -1}};
  for (const auto& [path, value] : edits) {
    put_json(Json::json_pointer(path), value);
    EXPECT_TRUE(contains(message(), "fit.json: ")) << path << ": " << message();
    EXPECT_TRUE(contains(message(), " must be ")) << path << ": " << message();
  }
}

TEST_F(DamagedFolder, TextsThatAreNoJson) {
  for (const std::string& text : {std::string(), std::string("{"), std::string("\xff"),
                                  std::string(100000, '['), std::string("{\"a\": 1e999}")}) {
    put("fit.json", text);
    EXPECT_TRUE(contains(message(), "fit.json: is ")) << message();
  }
}

// A second chain with fewer columns crashed.
TEST_F(DamagedFolder, AChainWithOtherColumns) {
  const std::string text = content("chain_2.csv");
  const auto with_header = [&](const std::string& header) {
    std::string changed = text;
    changed.replace(changed.find("lp__,"),
                    changed.find('\n', changed.find("lp__,")) - changed.find("lp__,"), header);
    put("chain_2.csv", changed);
    return message();
  };
  const std::string sampler = "lp__,accept_stat__,stepsize__,treedepth__,n_leapfrog__,divergent__,";
  EXPECT_TRUE(
      contains(with_header(sampler + "energy__,sigma,tau"), "10 values, and there are 9 columns"));
  EXPECT_TRUE(contains(with_header(sampler + "energy__,sigma,tau,rho"),
                       "chain_2.csv: has no column 'lambda'"));
  EXPECT_TRUE(contains(with_header(sampler + "sigma,tau,lambda,rho"),
                       "chain_2.csv: has 4 parameters, and the fit 3"));
  EXPECT_TRUE(contains(with_header(sampler + "energy__,sigma,sigma,lambda"),
                       "two columns are named 'sigma'"));
  EXPECT_TRUE(contains(with_header("a,b,c,d,e,f,g,sigma,tau,lambda"), "no column 'lp__'"));
  put("chain_2.csv", text);
  EXPECT_EQ(message(), "");
}

// Columns were found by their place.
TEST_F(DamagedFolder, ColumnsInAnotherOrderAreTheSameDraws) {
  const FitSummary before = full_summary(load_fit(folder().path()));
  std::string text;
  for (const char* name : {"chain_1.csv", "chain_2.csv"}) {
    std::istringstream lines(content(name));
    text.clear();
    for (std::string line; std::getline(lines, line);) {
      const std::size_t first = line.find(','), last = line.rfind(',');
      if (line[0] != '#') {  // the last goes to the front
        line = line.substr(last + 1) + "," + line.substr(0, last);
      }
      text += line + "\n";
      ASSERT_LE(first, last);
    }
    put(name, text);
  }
  const FitSummary after = full_summary(load_fit(folder().path()));
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_EQ(after.parameters[j].name, before.parameters[j].name);
    EXPECT_EQ(after.parameters[j].mean, before.parameters[j].mean);
  }
}

TEST_F(DamagedFolder, ParametersThatCannotBe) {
  const std::string text = content("chain_1.csv");
  const std::size_t row = text.find("\n-0,1,1.5") + 1;
  ASSERT_NE(row, 0u);
  const std::size_t end = text.find('\n', row);
  for (const char* value : {"-2", "0", "nan", "inf", "-inf", "x", "", "1e999"}) {
    std::string changed = text;
    const std::size_t last = text.rfind(',', end);
    changed.replace(last + 1, end - last - 1, value);
    put("chain_1.csv", changed);
    EXPECT_TRUE(contains(message(), "chain_1.csv:")) << message();
    EXPECT_TRUE(contains(message(), std::string("column 'lambda' must be a ")) &&
                contains(message(), "number, is '" + std::string(value) + "'"))
        << message();
  }
}

TEST_F(DamagedFolder, AChainThatWasCutShortIsSaid) {
  const std::string text = content("chain_2.csv");
  std::size_t end = text.find("\n-0.5,");
  for (int i = 0; i < 20; ++i) end = text.find('\n', end + 1);
  put("chain_2.csv", text.substr(0, end + 1));
  const FitSummary s = full_summary(load_fit(folder().path()));
  EXPECT_EQ(s.draws, 20);
  ASSERT_FALSE(s.findings.empty());
  EXPECT_EQ(s.findings[0].code, Finding::Code::chain_cut_short);
  EXPECT_EQ(s.findings[0].number("draws"), 20);
  EXPECT_EQ(s.findings[0].number("expected"), 30);
}

TEST_F(DamagedFolder, AChainThatIsGoneOrEmptyIsSaid) {
  put("chain_2.csv", "");
  EXPECT_TRUE(
      contains(message(), "chain_2.csv: has no draws, and fit.json says that there are 30"));
  std::filesystem::remove(folder().chain_file(1));
  EXPECT_TRUE(contains(message(), "chain_2.csv: cannot be read"));
}

}  // namespace
}  // namespace ulisse
