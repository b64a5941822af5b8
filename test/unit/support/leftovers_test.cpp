// Temporary files and folders of processes that have ended.

#include "lacuna/support/leftovers.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lacuna::leftovers_test {
namespace {

namespace fs = std::filesystem;

class LeftoversTest : public ::testing::Test {
 protected:
  LeftoversTest() {
    std::string name = (fs::temp_directory_path() / "lacuna-test-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    const pid_t child = ::fork();
    if (child == 0) ::_exit(0);
    ::waitpid(child, nullptr, 0);
    ended_ = child;
  }
  ~LeftoversTest() override { fs::remove_all(folder_); }

  fs::path file(const std::string& name) const {
    std::ofstream(folder_ / name) << "text";
    return folder_ / name;
  }
  std::string of_process(pid_t process) const { return fmt::format("temp-{}-0", process); }
  void tidy() const { remove_leftovers(folder_, "temp-"); }

  fs::path folder_;
  pid_t ended_ = 0;
};

TEST_F(LeftoversTest, WhatAProcessLeftThatHasEndedGoes) {
  const fs::path left = file(of_process(ended_));
  const fs::path folder = folder_ / fmt::format("temp-{}-folder", ended_);
  fs::create_directories(folder / "below");
  tidy();
  EXPECT_FALSE(fs::exists(left));
  EXPECT_FALSE(fs::exists(folder));
}

TEST_F(LeftoversTest, WhatLivingProcessesHaveAndWhatHasOtherNamesStays) {
  const std::vector<fs::path> kept = {file(name_of_this_process("temp-") + "0"),
                                      file(of_process(::getppid())),
                                      file("temp-"),
                                      file("temp-12x-0"),
                                      file("temp--1-0"),
                                      file(fmt::format("temp-{}", ended_)),
                                      file(fmt::format("other-{}-0", ended_))};
  tidy();
  for (const fs::path& path : kept) EXPECT_TRUE(fs::exists(path)) << path;
}

TEST_F(LeftoversTest, WhatIsLockedIsInUseWhateverNumberItsProcessHasHere) {
  // As that of another computer or container, which shares the folder.
  const fs::path theirs = file(of_process(ended_));
  const int lock = ::open(theirs.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_TRUE(lock_as_ours(lock));
  tidy();
  EXPECT_TRUE(fs::exists(theirs));
  ::close(lock);
  tidy();
  EXPECT_FALSE(fs::exists(theirs));
}

TEST_F(LeftoversTest, AFileThatIsGoneCannotBeOurs) {
  const fs::path path = file(of_process(ended_));
  const int open = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  fs::remove(path);
  EXPECT_FALSE(lock_as_ours(open));
  ::close(open);
}

TEST_F(LeftoversTest, ALinkIsNotFollowed) {
  const fs::path target = file("target");
  const fs::path link = folder_ / of_process(ended_);
  fs::create_symlink(target, link);
  tidy();
  EXPECT_TRUE(fs::exists(target));
}

TEST_F(LeftoversTest, AFolderThatIsNotThereIsNoMistake) { remove_leftovers(folder_ / "nowhere", "temp-"); }

TEST_F(LeftoversTest, WhatThisProcessHasOpenGoesWhereItIsAboutToEnd) {
  const fs::path folder = folder_ / (name_of_this_process("temp-") + "folder");
  fs::create_directories(folder / "below");
  const fs::path closed = file(name_of_this_process("temp-") + "closed"), other = file(of_process(ended_));
  const int folder_open = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY), other_open = ::open(other.c_str(), O_RDONLY);
  EXPECT_FALSE(remove_open_temporaries("others-"));
  EXPECT_TRUE(remove_open_temporaries("temp-"));
  EXPECT_FALSE(fs::exists(folder));
  EXPECT_TRUE(fs::exists(closed));
  EXPECT_TRUE(fs::exists(other));
  EXPECT_FALSE(remove_open_temporaries("temp-"));
  ::close(folder_open);
  ::close(other_open);
}

}  // namespace
}  // namespace lacuna::leftovers_test
