// The lock of a fit's folder: one process at a time, and none that is gone.

#include "fit/folder_lock.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/files.h"
#include "support/error_message.h"
#include "support/temporary_folder.h"
#include "ulisse/error.h"

namespace ulisse {
namespace {

namespace fs = std::filesystem;
using testing::contains;
using testing::message_of;

class Lock : public testing::TemporaryFolder {
 protected:
  std::string folder() const { return path().string(); }
  std::string file() const { return FolderLock::file_in(folder()); }
};

TEST_F(Lock, MakesTheFolderAndLeavesNothing) {
  { const FolderLock lock(folder()); }
  EXPECT_FALSE(fs::exists(path()));
  fs::create_directories(path());
  { const FolderLock lock(folder()); }
  EXPECT_TRUE(fs::is_empty(path()));
}

TEST_F(Lock, LeavesAFolderThatSomethingWasWrittenTo) {
  {
    const FolderLock lock(folder());
    put("fit.json");
  }
  EXPECT_EQ(names(), std::vector<std::string>{"fit.json"});
}

TEST_F(Lock, NamesWhoHoldsIt) {
  EXPECT_EQ(writer_of(folder()), std::nullopt);
  const FolderLock lock(folder());
  const std::string self = "process " + std::to_string(::getpid()) + " on ";
  EXPECT_TRUE(contains(writer_of(folder()).value_or(""), self));
  const std::string message = message_of([&] { FolderLock again(folder()); });
  EXPECT_TRUE(contains(message, folder() + ": another fit is being written there, by " + self))
      << message;
  EXPECT_TRUE(contains(message, " UTC; ")) << message;
  EXPECT_TRUE(fs::exists(file())) << "who was refused removes nothing";
}

TEST_F(Lock, CanBeTakenAgainOnceItIsGivenBack) {
  { const FolderLock lock(folder()); }
  { const FolderLock lock(folder()); }
  EXPECT_EQ(writer_of(folder()), std::nullopt);
}

TEST_F(Lock, OfAProcessThatWasKilledIsTakenOver) {
  const pid_t child = ::fork();
  if (child == 0) {
    const FolderLock lock(folder());
    ::_exit(0);  // without giving it back
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(fs::exists(file()));
  EXPECT_EQ(writer_of(folder()), std::nullopt);
  const FolderLock lock(folder());
  EXPECT_TRUE(contains(read_file(file()), std::to_string(::getpid())));
}

TEST_F(Lock, DoesNotTouchFilesThatAreNoLocks) {
  put("mine.txt");
  fs::create_symlink(path() / "mine.txt", file());
  EXPECT_TRUE(contains(message_of([&] { FolderLock lock(folder()); }), "is a symbolic link"));
  fs::remove(file());
  std::ofstream(file()) << "my own";
  EXPECT_TRUE(contains(message_of([&] { FolderLock lock(folder()); }), "is of no fit"));
  EXPECT_EQ(read_file(file()), "my own");
  fs::remove(file());
  ASSERT_EQ(::mkfifo(file().c_str(), 0600), 0);
  EXPECT_TRUE(contains(message_of([&] { FolderLock lock(folder()); }), "is of no fit"));
  EXPECT_EQ(writer_of(folder()), std::nullopt);
  EXPECT_EQ(read_file(path() / "mine.txt"), "mine.txt");
}

TEST_F(Lock, WhatItSaysReachesTheTerminalOnlyWhereItIsPlain) {
  const FolderLock lock(folder());
  for (const char* text : {R"({"ulisse_fit_of_process":1,"host":"\u001b[2J","since":"now"})",
                           R"({"ulisse_fit_of_process":-1,"host":"a","since":"now"})",
                           R"({"ulisse_fit_of_process":1.5,"host":"a","since":"now"})", ""}) {
    std::ofstream(file()) << text;
    const std::string message = message_of([&] { FolderLock again(folder()); });
    EXPECT_TRUE(contains(message, "being written there, by another process; wait")) << message;
  }
}

TEST_F(Lock, ThatAKillHasCutShortIsTakenOver) {
  fs::create_directories(path());
  for (const char* text : {"", "{", R"({"ulisse_fit)", R"({"ulisse_fit_of_process":12,"ho)"}) {
    std::ofstream(file()) << text;
    EXPECT_NO_THROW(FolderLock lock(folder())) << text;
    EXPECT_FALSE(fs::exists(file())) << text;
  }
}

TEST_F(Lock, InPlaceOfAFileIsRefused) {
  std::ofstream(path()) << "a file";
  EXPECT_TRUE(contains(message_of<OutputError>([&] { FolderLock lock(folder()); }),
                       "cannot make the folder"));
}

}  // namespace
}  // namespace ulisse
