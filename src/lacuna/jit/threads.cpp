#include "lacuna/jit/threads.h"

#include "lacuna/codegen/prelude/lacuna_parallel.h"

namespace lacuna {

std::int32_t parallel_for(lacuna_context* context, const lacuna_loop* loop, lacuna_task task, void* used) {
  return lacuna_parallel_for(context, loop, task, used);
}

}  // namespace lacuna
