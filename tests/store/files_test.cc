// Files that are replaced whole or not at all, and what is in their way.

#include "store/files.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>

#include "support/error_message.h"
#include "ulisse/error.h"

namespace ulisse {
namespace {

namespace fs = std::filesystem;
using testing::contains;
using testing::message_of;

class Files : public ::testing::Test {
 protected:
  Files() : folder_(fs::temp_directory_path() / ("ulisse_files_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~Files() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void put(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
  }
  std::set<std::string> names() const {
    std::set<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      found.insert(entry.path().filename().string());
    }
    return found;
  }

 private:
  fs::path folder_;
};

// No file may grow beyond so many bytes, which looks to a program like a full disk.
class SmallFiles {
 public:
  explicit SmallFiles(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &now);
  }
  ~SmallFiles() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  SmallFiles(const SmallFiles&) = delete;
  SmallFiles& operator=(const SmallFiles&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_{};
};

TEST_F(Files, AreReplacedWhole) {
  write_atomically(path("file"), "old");
  write_atomically(path("file"), "new");
  EXPECT_EQ(read_file(path("file")), "new");
  EXPECT_EQ(names(), std::set<std::string>{"file"});
}

TEST_F(Files, HaveTheModeThatTheUsersMaskGives) {
  const mode_t before = ::umask(027);
  write_atomically(path("file"), "text");
  ::umask(before);
  struct stat status = {};
  ASSERT_EQ(::stat(path("file").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640U);
}

// "X.new" was written over, and a link of that name followed.
TEST_F(Files, AUsersFileNamedLikeATemporaryOneStays) {
  put("file.new", "the user's own");
  put("elsewhere", "the user's own, too");
  fs::create_symlink(path("elsewhere"), path("other.new"));
  write_atomically(path("file"), "text");
  write_atomically(path("other"), "text");
  EXPECT_EQ(read_file(path("file.new")), "the user's own");
  EXPECT_EQ(read_file(path("elsewhere")), "the user's own, too");
  EXPECT_TRUE(fs::is_symlink(path("other.new")));
}

// They were replaced, whatever they were.
TEST_F(Files, WhatIsNoRegularFileIsNotReplaced) {
  put("file", "text");
  fs::create_symlink(path("file"), path("link"));
  fs::create_symlink(path("nowhere"), path("broken"));
  fs::create_directory(path("folder"));
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const int made = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  ASSERT_LT(path("socket").size(), sizeof address.sun_path);
  path("socket").copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(made, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ::close(made);
  const std::set<std::string> before = names();
  const auto refusal = [&](const std::string& name) {
    return message_of([&] { write_atomically(name, "text"); });
  };
  EXPECT_TRUE(contains(refusal(path("link")), "is a symbolic link"));
  EXPECT_TRUE(contains(refusal(path("broken")), "is a symbolic link"));
  EXPECT_TRUE(contains(refusal(path("folder")), "is a folder"));
  EXPECT_TRUE(contains(refusal(path("pipe")), "is a pipe"));
  EXPECT_TRUE(contains(refusal(path("socket")), "is a socket"));
  EXPECT_TRUE(contains(refusal("/dev/null"), "is a device"));
  EXPECT_TRUE(contains(refusal(""), "is empty"));
  EXPECT_EQ(names(), before);
}

TEST_F(Files, AFailedWriteLeavesTheOldContentAndNothingElse) {
  write_atomically(path("file"), "old");
  {
    const SmallFiles limit(10);
    EXPECT_TRUE(contains(
        message_of<OutputError>([&] { write_atomically(path("file"), std::string(100, 'x')); }),
        "file: cannot write"));
  }
  EXPECT_EQ(read_file(path("file")), "old");
  EXPECT_EQ(names(), std::set<std::string>{"file"});
  EXPECT_THROW(write_atomically(path("nowhere/file"), "new"), OutputError);
}

// It stayed beside the place that could not be replaced.
TEST_F(Files, AFailedRenameLeavesNothing) {
  const std::string longest(255, 'n'), too_long(256, 'n');
  write_atomically(path(longest), "text");  // though nothing longer may stand beside it
  EXPECT_EQ(read_file(path(longest)), "text");
  EXPECT_TRUE(contains(message_of<OutputError>([&] { write_atomically(path(too_long), "text"); }),
                       "cannot replace"));
  EXPECT_EQ(names(), std::set<std::string>{longest});
}

TEST_F(Files, TemporaryNamesAreKnownByTheirForm) {
  EXPECT_TRUE(is_temporary_of(".fit.json.0123456789ab.new", "fit.json"));
  for (const char* other :
       {"fit.json", "fit.json.new", ".fit.json.new", ".fit.json..new", ".fit.json.0123456789a.new",
        ".fit.json.0123456789abc.new", ".fit.json.0123456789aG.new", ".setup.0123456789ab.new",
        ".fit.json.0123456789ab.old"}) {
    EXPECT_FALSE(is_temporary_of(other, "fit.json")) << other;
  }
}

// What a kill between write and rename leaves.
TEST_F(Files, ATemporaryFileOnTheDiskHasThatForm) {
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit small{.rlim_cur = 10, .rlim_max = 10};
    setrlimit(RLIMIT_FSIZE, &small);  // SIGXFSZ is not ignored: it ends the process
    write_atomically(path("checkpoint"), std::string(100, 'x'));
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  ASSERT_EQ(names().size(), 1U);
  EXPECT_TRUE(is_temporary_of(*names().begin(), "checkpoint")) << *names().begin();
}

TEST_F(Files, AFullDiskIsSaid) {
  GrowingFile full = GrowingFile::create("/dev/full");
  full.append("x");
  EXPECT_TRUE(contains(message_of<OutputError>([&] { full.flush(); }), "No space left"));
}

TEST_F(Files, ThatGrowDoNotGrowThroughLinks) {
  put("elsewhere", "the user's own");
  fs::create_symlink(path("elsewhere"), path("chain.csv"));
  const auto words = [&](auto open) { return message_of<OutputError>(open); };
  EXPECT_TRUE(contains(words([&] { GrowingFile::create(path("chain.csv")); }), "symbolic link"));
  EXPECT_TRUE(contains(words([&] { GrowingFile::reopen(path("chain.csv"), 3); }), "symbolic link"));
  EXPECT_EQ(read_file(path("elsewhere")), "the user's own");
}

}  // namespace
}  // namespace ulisse
