// Programs that are started, such as the C compiler.

#include "lacuna/jit/subprocess.h"

#include <signal.h>

#include <gtest/gtest.h>

namespace lacuna::subprocess_test {
namespace {

TEST(Subprocess, SaysHowAProgramEnded) {
  EXPECT_EQ(run_process({"sh", "-c", "echo said; exit 3"}).exit_status, 3);
  EXPECT_EQ(run_process({"sh", "-c", "echo said; exit 3"}).output, "said\n");
  EXPECT_EQ(run_process({"sh", "-c", "kill -TERM $$"}).signal, SIGTERM);
  EXPECT_FALSE(run_process({"/nonexistent"}).started);
}

TEST(Subprocess, TakesSignalsThatTheThreadWhichStartedItDoesNot) {
  sigset_t blocked, before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  const ProcessResult ended = run_process({"sh", "-c", "kill -TERM $$; echo goes on"});
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  EXPECT_EQ(ended.signal, SIGTERM);
  EXPECT_EQ(ended.output, "");
}

}  // namespace
}  // namespace lacuna::subprocess_test
