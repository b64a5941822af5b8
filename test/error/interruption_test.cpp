// Signals end the command, and what it has started and made goes with it.

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "error/command.h"

namespace lacuna::test::interruption_test {
namespace {

namespace fs = std::filesystem;
using testing::IsEmpty;

/// Whether something is so within some seconds.
template <typename Condition>
bool soon(const Condition& condition) {
  for (int tenths = 0; tenths < 200; ++tenths) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return false;
}

/// Runs; a process that has ended and that nobody has asked about does not.
bool is_running(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string number, name, state;
  file >> number >> name >> state;
  return !state.empty() && state != "Z" && state != "X";
}

/// A command whose C compiler takes a minute for a kernel: a script that has started another process.
class InterruptionTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_.write("slow_cc", "#!/bin/sh\nsleep 60 &\necho $$ $! >'" + started().string() + ".new'\nmv '" +
                                 started().string() + ".new' '" + started().string() + "'\nwait\n");
    fs::permissions(folder_.path() / "slow_cc", fs::perms::owner_all);
    fs::create_directory(temporary());
  }
  void TearDown() override {
    for (const pid_t process : compiler()) ::kill(process, SIGKILL);
  }

  fs::path started() const { return folder_.path() / "started"; }
  fs::path temporary() const { return folder_.path() / "temporary"; }
  fs::path cache() const { return folder_.path() / "cache"; }
  fs::path said() const { return folder_.path() / "said"; }

  /// The compiler and what it has started.
  std::vector<pid_t> compiler() const {
    std::ifstream file(started());
    std::vector<pid_t> all;
    for (pid_t process = 0; file >> process;) all.push_back(process);
    return all;
  }

  /// Starts the command, in a group of its own, and returns when its compiler is at work.
  pid_t command(bool with_cache, bool ignores_hangup = false) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::setpgid(0, 0);
      if (ignores_hangup) ::signal(SIGHUP, SIG_IGN);
      ::setenv("LACUNA_CC", (folder_.path() / "slow_cc").c_str(), 1);
      ::setenv("TMPDIR", temporary().c_str(), 1);
      if (with_cache) ::setenv("LACUNA_CACHE_DIR", cache().c_str(), 1);
      else ::setenv("LACUNA_CACHE", "0", 1);
      ::dup2(::open(said().c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
      ::execl(LACUNA_BINARY, "lacuna", "run", "y(i) = A(i,j)", "-i", "A=dense", "-d", "i=2,j=2", nullptr);
      ::_exit(127);
    }
    EXPECT_TRUE(soon([&] { return compiler().size() == 2; })) << "the compiler was not started";
    return child;
  }

  /// The signal that ended the command; 0 where it ended otherwise.
  static int signal_that_ended(pid_t child) {
    int status = 0;
    const bool has_ended = soon([&] { return ::waitpid(child, &status, WNOHANG) == child; });
    EXPECT_TRUE(has_ended) << "the command goes on";
    if (!has_ended) ::kill(child, SIGKILL);
    return has_ended && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  }

  void expect_nothing_left() const {
    for (const pid_t process : compiler()) EXPECT_TRUE(soon([&] { return !is_running(process); })) << process;
    std::vector<std::string> left;
    for (const fs::path& folder : {temporary(), cache()})
      if (fs::exists(folder))
        for (const auto& entry : fs::directory_iterator(folder))
          if (entry.is_directory()) left.push_back(entry.path().string());
    EXPECT_THAT(left, IsEmpty());
    std::ostringstream text;
    text << std::ifstream(said()).rdbuf();
    EXPECT_EQ(text.str(), "");
  }

  TemporaryFolder folder_;
};

TEST_F(InterruptionTest, NothingIsLeftWhereASignalComesWhileTheCompilerRuns) {
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    SCOPED_TRACE(signal);
    for (const bool with_cache : {false, true}) {
      fs::remove(started());
      const pid_t child = command(with_cache);
      ::kill(child, signal);
      EXPECT_EQ(signal_that_ended(child), signal);
      expect_nothing_left();
    }
  }
}

/// As a terminal sends it: to the compiler, too, which the command then starts once more.
TEST_F(InterruptionTest, NothingIsLeftWhereTheCompilerGetsTheSignal) {
  for (const bool with_cache : {false, true}) {
    fs::remove(started());
    const pid_t child = command(with_cache);
    ::kill(-child, SIGINT);
    EXPECT_EQ(signal_that_ended(child), SIGINT);
    expect_nothing_left();
  }
}

TEST_F(InterruptionTest, ASignalThatIsIgnoredStaysIgnored) {
  const pid_t child = command(true, true);
  ::kill(child, SIGHUP);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_EQ(::waitpid(child, nullptr, WNOHANG), 0);
  ::kill(child, SIGTERM);
  EXPECT_EQ(signal_that_ended(child), SIGTERM);
  expect_nothing_left();
}

}  // namespace
}  // namespace lacuna::test::interruption_test
