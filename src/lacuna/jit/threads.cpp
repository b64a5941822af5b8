#include "lacuna/jit/threads.h"

#include <functional>

#include "lacuna/support/threads.h"

// C, whose casts Clang warns of.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#include "lacuna/codegen/prelude/lacuna_parallel.h"
#pragma GCC diagnostic pop

namespace lacuna {

std::int32_t parallel_for(lacuna_context* context, const lacuna_loop* loop, lacuna_task task, void* used) {
  lacuna_team team;
  const std::int32_t threads = lacuna_gather_team(context, loop, &team);
  const auto run = [&](int thread) { lacuna_run_task(context, &team, task, used, thread, threads); };
  if (threads == 1) run(0);
  else if (threads > 1) on_threads(threads, std::ref(run));
  return team.failed;
}

}  // namespace lacuna
