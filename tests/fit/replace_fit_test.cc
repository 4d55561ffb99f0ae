// A fit takes the place of another, and a kill may come at any point of it.

#include "fit/replace_fit.h"

#include <gtest/gtest.h>

#include "store/files.h"
#include "support/error_message.h"
#include "support/temporary_folder.h"

namespace ulisse {
namespace {

namespace fs = std::filesystem;
using testing::contains;
using testing::message_of;

class ReplaceFit : public testing::TemporaryFolder {
 protected:
  std::string folder() const { return path().string(); }
  void put_old() const {
    for (const char* name : {"fit.json", "chain_1.csv", "checkpoint", "data.csv", "mine.txt"}) {
      put(name);
    }
    put("notes/mine.txt");
  }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((path() / name).parent_path());
    std::ofstream(path() / name) << text;
  }
  void expect_new() const {
    EXPECT_EQ(names(),
              (std::vector<std::string>{"data.csv", "fit.json", "mine.txt", "notes", "setup"}));
    for (const char* name : {"data.csv", "fit.json", "setup"}) {
      EXPECT_EQ(read_file(path() / name), "new") << name;
    }
    EXPECT_TRUE(has("notes/mine.txt"));
    EXPECT_EQ(place_of_fit(folder()), folder());
  }
};

TEST_F(ReplaceFit, LeavesTheNewFitsFilesAndOtherPeoples) {
  put_old();
  const FitFolder successor = begin_successor(folder());
  for (const char* name : {"data.csv", "fit.json", "setup"}) {
    write(std::string(".new/") + name, "new");
  }
  EXPECT_EQ(successor.json_file(), folder() + "/.new/fit.json");
  EXPECT_EQ(FitFolder(folder()).json_file(), folder() + "/fit.json");
  replace_fit(folder());
  expect_new();
}

TEST_F(ReplaceFit, IsFinishedAfterAKillWhereverTheFilesAre) {
  // How many of the old fit's files are removed, and of the new one's in place.
  for (const int done : {0, 1, 2, 3, 4}) {
    fs::remove_all(path());
    put_old();
    for (const char* name : {"data.csv", "fit.json", "setup"}) {
      write(std::string(".moving-in/") + name, "new");
    }
    if (done > 0) fs::remove(path() / "fit.json");
    if (done > 1) fs::remove(path() / "chain_1.csv");
    if (done > 2) fs::create_hard_link(path() / ".moving-in/setup", path() / "setup");
    if (done > 3) write("fit.json", "new");
    EXPECT_EQ(FitFolder(folder()).json_file(), folder() + "/.moving-in/fit.json") << done;
    finish_replacement(folder());
    expect_new();
    finish_replacement(folder());
    expect_new();
  }
}

TEST_F(ReplaceFit, OnceMovedInTheFilesOfTheFolderCount) {
  for (const char* name : {"data.csv", "fit.json", "setup"}) write(name, "new");
  put("mine.txt");
  put("notes/mine.txt");
  write(".moved-in/fit.json", "new");
  EXPECT_EQ(place_of_fit(folder()), folder());
  finish_replacement(folder());
  expect_new();
}

TEST_F(ReplaceFit, AFitThatWasKilledBeforeLeavesTheOldOneAsItWas) {
  put_old();
  const auto before = names();
  begin_successor(folder());
  write(".new/fit.json", "half");
  EXPECT_EQ(place_of_fit(folder()), folder());
  finish_replacement(folder());
  EXPECT_EQ(names(), before);
  EXPECT_EQ(read_file(path() / "fit.json"), "fit.json");
}

TEST_F(ReplaceFit, WithoutASuccessorIsSaidSo) {
  put_old();
  const std::string message = message_of<OutputError>([&] { replace_fit(folder()); });
  EXPECT_TRUE(contains(message, "cannot replace the fit")) << message;
  EXPECT_TRUE(has("fit.json") && has("chain_1.csv"));
}

TEST_F(ReplaceFit, OtherFoldersOfThoseNamesAreNotWrittenTo) {
  put_old();
  fs::create_directories(path() / "elsewhere");
  fs::create_directory_symlink(path() / "elsewhere", path() / ".new");
  finish_replacement(folder());
  const std::string message = message_of([&] { begin_successor(folder()); });
  EXPECT_TRUE(contains(message, ".new: is in the way")) << message;
  fs::remove(path() / ".new");
  put(".new/mine.txt");
  finish_replacement(folder());
  EXPECT_THROW(begin_successor(folder()), InputError);
  EXPECT_TRUE(has(".new/mine.txt"));
}

}  // namespace
}  // namespace ulisse
