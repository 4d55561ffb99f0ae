// The folder of a fit: what may be replaced, and what may be resumed.

#include "fit/folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "store/files.h"
#include "support/error_message.h"
#include "support/saved_fit.h"
#include "support/temporary_folder.h"

namespace ulisse {
namespace {

namespace fs = std::filesystem;
using testing::contains;
using testing::fit_in;
using testing::message_of;
using testing::TemporaryFolder;
using Json = nlohmann::ordered_json;

class Folder : public TemporaryFolder {
 protected:
  FitFolder fit() const { return FitFolder(path().string()); }
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
      contains(message_of([&] { fit().require_free(false); }), "force for a fit beside it"));
  EXPECT_NO_THROW(fit().require_free(true));
  fit_in(path());
  EXPECT_TRUE(contains(message_of([&] { fit().require_free(false); }), "force replaces it"));
  EXPECT_NO_THROW(fit().require_free(true));
  EXPECT_TRUE(has("mine.txt"));
}

TEST_F(Folder, WithWhatAKillLeftHalfWrittenCountsAsEmpty) {
  put(".fit.json.ba9876543210.new");
  put(".checkpoint.0123456789ab.new");
  put("fit.lock");
  fit().require_free(false);
  fit().require_free(true);
  fit().create();
  EXPECT_EQ(names(), std::vector<std::string>{"fit.lock"});
}

TEST_F(Folder, AFileInItsPlaceIsRefusedAndStays) {
  std::ofstream(path()) << "a file";
  EXPECT_TRUE(contains(message_of([&] { fit().require_free(false); }),
                       "there is a file already; name a folder as out"));
  EXPECT_TRUE(contains(message_of<OutputError>([&] { fit().create(); }), path().string()));
  EXPECT_TRUE(fs::is_regular_file(path()));
}

TEST_F(Folder, ForceRemovesAFitAndLeavesEverythingElse) {
  const std::vector<std::string> of_a_fit = {"fit.json", ".fit.json.0123456789ab.new", "checkpoint",
                                             "chain_1.csv", "chain_12.csv"};
  const std::vector<std::string> others = {"mine.txt",       "chain_notes.csv", "chain_.csv",
                                           "chain_1.csv.gz", "old_chain_1.csv", "fit.json.bak",
                                           "fit.json.new",   "setup.new",       "data.csv.new"};
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
  EXPECT_TRUE(contains(message, "there is no fit.json")) << message;
  fit_in(path());
  EXPECT_NO_THROW(fit().require_free(true, "elsewhere.csv"));
  const std::string table = message_of([&] { fit().require_free(true, fit().data_file()); });
  EXPECT_TRUE(contains(table, "is the table itself")) << table;
}

TEST_F(Folder, AnyFileNamedFitJsonIsNotTakenForAFit) {
  for (const char* text : {"", "{}", "[]", "not JSON", R"({"settings": 1, "data": []})"}) {
    fit_in(path());
    std::ofstream(path() / "fit.json") << text;
    const std::string message = message_of([&] { fit().require_free(true); });
    EXPECT_TRUE(contains(message, "fit.json is not one that ulisse has written")) << message;
  }
}

TEST_F(Folder, FilesInTheNamesOfAFitsAreNotDeletedUnlessItWroteThem) {
  for (const char* name : {"data.csv", "chain_1.csv", "chain_7.csv", "checkpoint", "setup"}) {
    fit_in(path());
    std::ofstream(path() / name) << "x,y\n1,2\n3,4\n";
    const std::string message = message_of([&] { fit().require_free(true); });
    EXPECT_TRUE(contains(message, std::string(name) + ": would be overwritten")) << message;
    EXPECT_TRUE(contains(message, "is not what the fit in that folder wrote")) << message;
    fs::remove(path() / name);
  }
}

// It was noticed when the old fit was gone.
TEST_F(Folder, AFolderInThePlaceOfAChainIsInTheWay) {
  fit_in(path());
  fs::create_directories(path() / "chain_3.csv");
  const std::string message = message_of([&] { fit().require_free(true); });
  EXPECT_TRUE(contains(message, "chain_3.csv: is a folder, and in the way")) << message;
}

TEST_F(Folder, ALinkToNothingIsRefused) {
  fs::create_directory_symlink(path().string() + "-gone", path());
  EXPECT_TRUE(contains(message_of([&] { fit().require_free(false); }), "is a link to nothing"));
  fs::remove(path());
}

TEST_F(Folder, ATableThatTheFitWasToldNotToKeepIsTheUsers) {
  fit_in(path(), {{"kept", false}});
  EXPECT_TRUE(contains(message_of([&] { fit().require_free(true); }), "data.csv"));
}

TEST_F(Folder, APipeInTheNameOfAChainIsNotWaitedFor) {
  fit_in(path());
  ASSERT_EQ(::mkfifo((path() / "chain_3.csv").c_str(), 0600), 0);
  EXPECT_TRUE(contains(message_of([&] { fit().require_free(true); }), "chain_3.csv"));
}

TEST_F(Folder, WithoutAFitIsSaidSo) {
  EXPECT_TRUE(contains(message_of([&] { fit().read_json(); }), "there is no fit"));
}

TEST_F(Folder, WithADamagedFitIsSaidSo) {
  fs::create_directories(path());
  const auto message = [&](const char* text) {
    std::ofstream(path() / "fit.json") << text;
    return message_of([&] { fit().read_json(); });
  };
  for (const char* text : {"", "{"}) EXPECT_TRUE(contains(message(text), "fit.json: is damaged"));
  EXPECT_TRUE(contains(message("[1]"), "fit.json: must be an object, is a list of 1"));
  EXPECT_TRUE(contains(message("{}"), "fit.json: status: is missing"));
  EXPECT_TRUE(contains(message(R"({"status": "complete"})"), "fit.json: settings: is missing"));
}

TEST_F(Folder, GivesBackTheJsonThatWasWritten) {
  fs::create_directories(path());
  const Json json = {{"status", "running"},
                     {"settings", {{"sampler", "mh"}, {"chains", 4}, {"q", 0.1}}},
                     {"a", 1}};
  fit().write_json(json);
  EXPECT_EQ(fit().read_json().dump(), json.dump());
  EXPECT_EQ(names(), std::vector<std::string>{"fit.json"});
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
  return to_json(
      describe_fit(settings, {Reason::Code::few_rows}, model, raw, standardisation_of(raw)));
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
  b.own["early_stop"] = 0.5;
  b.model.priors = {"tau=gamma(2,1)"};
  const std::string words = differences(description(a, 5), description(b, 5));
  EXPECT_EQ(words,
            "priors ([] there, [\"tau=gamma(2,1)\"] here), seed (1 there, 2 here), "
            "early_stop (0.1 there, 0.5 here)");
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
