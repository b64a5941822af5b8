#include "tools/interruption.h"

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <system_error>
#include <thread>

#include "lacuna/io/atomic_write.h"
#include "lacuna/jit/folder.h"
#include "lacuna/support/leftovers.h"
#include "tools/descendants.h"

namespace lacuna::tool {
namespace {

/// Those of the three signals that are not ignored.
sigset_t awaited_signals(bool& any) {
  sigset_t awaited;
  sigemptyset(&awaited);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    if (::sigaction(signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) continue;
    sigaddset(&awaited, signal);
    any = true;
  }
  return awaited;
}

[[noreturn]] void wait_for_the_end() {
  for (;;) ::pause();
}

/// True where there was something to do away with.
bool clean_up() {
  const bool was_running = kill_descendants();
  const bool was_compiling = remove_open_temporaries(TemporaryFolder::prefix);
  const bool was_writing = remove_open_temporaries(AtomicFile::prefix);
  return was_running || was_compiling || was_writing;
}

}  // namespace

Interruption::Interruption() {
  bool any = false;
  const sigset_t awaited = awaited_signals(any);
  if (!any || ::pthread_sigmask(SIG_BLOCK, &awaited, nullptr) != 0) return;
  adopt_orphans();
  try {
    std::thread([awaited, state = state_] {
      int signal = 0;
      while (::sigwait(&awaited, &signal) != 0) continue;
      end_by(signal, *state);
    }).detach();
  } catch (const std::system_error&) {
    // No memory for a thread: signals end the command as they do others.
    ::pthread_sigmask(SIG_UNBLOCK, &awaited, nullptr);
  }
}

void Interruption::wait_if_taken() {
  if (!state_->is_taken) return;
  state_->is_waiting = true;
  wait_for_the_end();
}

/// Where a compiler is killed, the command may start another one before it gives up; so this looks again, until the
/// command waits or nothing has been found for some time.
void Interruption::end_by(int signal, State& state) {
  constexpr int enough = 3, most = 500;
  constexpr std::chrono::milliseconds pause{10};
  state.is_taken = true;
  for (int quiet = 0, turns = 0; quiet < enough && turns < most; ++turns) {
    const bool is_waiting = state.is_waiting;
    quiet = clean_up() ? 0 : quiet + 1;
    if (quiet > 0 && is_waiting) break;
    std::this_thread::sleep_for(pause);
  }
  sigset_t this_one;
  sigemptyset(&this_one);
  sigaddset(&this_one, signal);
  ::pthread_sigmask(SIG_UNBLOCK, &this_one, nullptr);
  ::kill(::getpid(), signal);
  wait_for_the_end();
}

}  // namespace lacuna::tool
