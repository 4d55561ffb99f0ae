// The folder of a fit: what may be replaced, and what may be resumed.

#include "fit/folder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "draws/files.h"
#include "support/error_message.h"

namespace ulisse {
namespace {

namespace fs = std::filesystem;
using testing::contains;
using testing::message_of;
using Json = nlohmann::ordered_json;

class Folder : public ::testing::Test {
 public:
  Folder() : path_(fs::temp_directory_path() / ("ulisse_fit_" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
  }
  ~Folder() override { fs::remove_all(path_); }

 protected:
  FitFolder fit() const { return FitFolder(path_.string()); }
  void put(const std::string& name) const {
    fs::create_directories(path_);
    std::ofstream(path_ / name) << name;
  }
  bool has(const std::string& name) const { return fs::exists(path_ / name); }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(path_))
      found.push_back(entry.path().filename());
    std::sort(found.begin(), found.end());
    return found;
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

TEST_F(Folder, IsMadeWithTheFoldersAboveIt) {
  const FitFolder deep((path() / "a" / "b").string());
  deep.create();
  EXPECT_TRUE(fs::is_directory(path() / "a" / "b"));
  EXPECT_FALSE(deep.exists());
}

TEST_F(Folder, MayBeThereWhenEmpty) {
  fs::create_directories(path());
  EXPECT_NO_THROW(fit().require_free(false));
  EXPECT_NO_THROW(fit().create());
}

TEST_F(Folder, WithAnythingInItIsRefused) {
  put("mine.txt");
  EXPECT_TRUE(
      contains(message_of([&] { fit().require_free(false); }), "--force for a fit beside it"));
  EXPECT_NO_THROW(fit().require_free(true));
  put("fit.json");
  EXPECT_TRUE(contains(message_of([&] { fit().require_free(false); }), "--force replaces it"));
  EXPECT_NO_THROW(fit().require_free(true));
  EXPECT_TRUE(has("mine.txt"));
}

TEST_F(Folder, WithWhatAKillLeftHalfWrittenCountsAsEmpty) {
  put("fit.json.new");
  put("checkpoint.new");
  fit().require_free(false);
  fit().require_free(true);
  fit().create();
  EXPECT_TRUE(fs::is_empty(path()));
}

TEST_F(Folder, AFileInItsPlaceIsRefusedAndStays) {
  std::ofstream(path()) << "a file";
  EXPECT_TRUE(
      contains(message_of([&] { fit().require_free(false); }), "there is something already"));
  EXPECT_TRUE(contains(message_of<OutputError>([&] { fit().create(); }), path().string()));
  EXPECT_TRUE(fs::is_regular_file(path()));
}

TEST_F(Folder, ForceRemovesAFitAndLeavesEverythingElse) {
  const std::vector<std::string> of_a_fit = {"fit.json",       "fit.json.new", "checkpoint",
                                             "checkpoint.new", "chain_1.csv",  "chain_12.csv"};
  const std::vector<std::string> others = {"mine.txt",       "chain_notes.csv", "chain_.csv",
                                           "chain_1.csv.gz", "old_chain_1.csv", "fit.json.bak"};
  for (const auto& name : of_a_fit) put(name);
  for (const auto& name : others) put(name);
  fs::create_directories(path() / "chain_7.csv");
  fit().create();
  for (const auto& name : of_a_fit) EXPECT_FALSE(has(name)) << name;
  for (const auto& name : others) EXPECT_TRUE(has(name)) << name;
  EXPECT_TRUE(has("chain_7.csv")) << "a folder of that name is no chain";
}

// Names alone do not make files those of a fit.
TEST_F(Folder, WhatMayBeTheUsersIsNotOverwritten) {
  put("data.csv");
  const std::string message = message_of([&] { fit().require_free(true); });
  EXPECT_TRUE(contains(message, "data.csv: would be overwritten")) << message;
  put("fit.json");
  EXPECT_NO_THROW(fit().require_free(true, "elsewhere.csv"));
  const std::string table = message_of([&] { fit().require_free(true, fit().data_file()); });
  EXPECT_TRUE(contains(table, "is the table itself")) << table;
}

TEST_F(Folder, AFitMakesWayForItsSuccessor) {
  for (const char* name : {"fit.json", "chain_1.csv", "checkpoint", "data.csv", "mine.txt"}) {
    put(name);
  }
  const FitFolder successor = fit().of_successor();
  successor.create();
  std::ofstream(successor.json_file()) << "another";
  std::ofstream(successor.setup_file()) << "another";
  EXPECT_TRUE(has("chain_1.csv") && has("data.csv"));
  fit().make_way();
  EXPECT_EQ(names(), (std::vector<std::string>{"fit.json", "mine.txt", "setup"}));
  EXPECT_EQ(read_file(fit().json_file()), "another");
}

TEST_F(Folder, ASuccessorThatIsDiscardedLeavesNothing) {
  put("fit.json");
  put("chain_1.csv");
  const std::vector<std::string> before = names();
  const FitFolder successor = fit().of_successor();
  successor.discard();           // there is none
  for (int i = 0; i < 2; ++i) {  // the second finds what one that was killed has left
    successor.create();
    std::ofstream(successor.json_file()) << "another";
  }
  successor.discard();
  EXPECT_EQ(names(), before);
  EXPECT_EQ(read_file(fit().json_file()), "fit.json");
}

TEST_F(Folder, WithASuccessorThatIsMissingIsSaidSo) {
  put("fit.json");
  EXPECT_TRUE(
      contains(message_of<OutputError>([&] { fit().make_way(); }), "cannot replace the fit"));
  EXPECT_TRUE(has("fit.json"));
}

TEST_F(Folder, WithoutAFitIsSaidSo) {
  EXPECT_TRUE(contains(message_of([&] { fit().read_json(); }), "there is no fit"));
}

TEST_F(Folder, WithADamagedFitIsSaidSo) {
  fs::create_directories(path());
  for (const char* text : {"", "{", "[1]", "{}", R"({"status": "complete"})"}) {
    std::ofstream(path() / "fit.json") << text;
    EXPECT_TRUE(contains(message_of([&] { fit().read_json(); }), "fit.json: is damaged")) << text;
  }
}

TEST_F(Folder, GivesBackTheJsonThatWasWritten) {
  fs::create_directories(path());
  const Json json = {{"status", "running"},
                     {"settings", {{"sampler", "mh"}, {"chains", 4}, {"q", 0.1}}},
                     {"a", 1}};
  fit().write_json(json);
  EXPECT_EQ(fit().read_json().dump(), json.dump());
  EXPECT_FALSE(has("fit.json.new"));
}

TEST_F(Folder, NumbersItsChainsFromOne) {
  EXPECT_EQ(fit().chain_file(0), (path() / "chain_1.csv").string());
}

Json description(const FitSettings& settings, double last) {
  Dataset raw;
  raw.source = "table.csv";
  raw.target = "y";
  raw.features = {"a"};
  raw.x = (Matrix(3, 1) << 1, 2, last).finished();
  raw.y = (Vector(3) << 1, 0, 2).finished();
  const Model model = make_model(parse_kernel("rbf"), 1);
  return describe_fit(settings, "a reason", model, raw, standardisation_of(raw));
}

TEST(Differences, NoneForTheSameSettingsAndData) {
  const Json here = description(settings_for("sgld", "default", 3), 5);
  Json there = here;
  there["status"] = "interrupted";  // and whatever else a run adds
  there["data"]["file"] = "elsewhere/table.csv";
  there["draws"] = 10;
  EXPECT_EQ(differences(there, here), "");
}

TEST(Differences, NameEachSettingWithBothValues) {
  FitSettings a = settings_for("sgld", "default", 3), b = a;
  b.seed = 2;
  b.sgld.q = 0.5;
  b.priors = {"tau=gamma(2,1)"};
  const std::string words = differences(description(a, 5), description(b, 5));
  EXPECT_EQ(words,
            "priors ([] there, [\"tau=gamma(2,1)\"] here), seed (1 there, 2 here), "
            "q (0.1 there, 0.5 here)");
}

TEST(Differences, NameTheDatasFingerprint) {
  const FitSettings s = settings_for("mh", "default", 3);
  const std::string words = differences(description(s, 5), description(s, 6));
  EXPECT_TRUE(contains(words, "the data's fingerprint ("));
  EXPECT_FALSE(contains(words, "rows"));
}

TEST(Differences, AnotherSamplerHasOtherSettings) {
  const std::string words = differences(description(settings_for("mh", "default", 3), 5),
                                        description(settings_for("sgld", "default", 3), 5));
  EXPECT_TRUE(contains(words, "sampler (\"mh\" there, \"sgld\" here)"));
  EXPECT_TRUE(contains(words, "sgld (nothing there,"));
}

// A fit.json of another version, or edited by hand.
TEST(Differences, ADescriptionThatLacksPartsIsRefusedAndNotACrash) {
  const Json here = description(settings_for("mh", "default", 3), 5);
  Json there = here;
  there["data"].erase("fingerprint");
  EXPECT_TRUE(contains(differences(there, here), "the data's fingerprint (nothing there,"));
  EXPECT_NE(differences(Json::object(), here), "");
}

}  // namespace
}  // namespace ulisse
