#pragma once

#include <cstdint>

#include "lacuna/codegen/prelude/lacuna_kernel.h"

namespace lacuna {

/// lacuna_context.parallel_for of kernels that run in this process: on the threads of support/threads.h, which the
/// library's own work uses, too.
std::int32_t parallel_for(lacuna_context* context, const lacuna_loop* loop, lacuna_task task, void* used);

}  // namespace lacuna
