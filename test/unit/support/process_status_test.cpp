#include "lacuna/support/process_status.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace lacuna::process_status_test {
namespace {

TEST(ProcessStatus, TellsWhoStartedAProcess) {
  const auto status = status_of_process(::getpid());
  ASSERT_TRUE(status);
  EXPECT_EQ(status->parent, ::getppid());
  EXPECT_FALSE(status->has_ended);
}

TEST(ProcessStatus, IsReadBehindAnyName) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::prctl(PR_SET_NAME, "a) S 1 (b");
    const auto status = status_of_process(::getpid());
    ::_exit(status && status->parent == ::getppid() ? 0 : 1);
  }
  int code = -1;
  ::waitpid(child, &code, 0);
  EXPECT_EQ(code, 0);
}

TEST(ProcessStatus, TellsWhetherAProcessHasEnded) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  siginfo_t ended;
  ::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT);
  const auto status = status_of_process(child);
  ASSERT_TRUE(status);
  EXPECT_TRUE(status->has_ended);
  ::waitpid(child, nullptr, 0);
  EXPECT_FALSE(status_of_process(child));
}

}  // namespace
}  // namespace lacuna::process_status_test
