#pragma once

#include <memory>
#include <vector>

#include "lacuna/compile/plan/plan.h"
#include "lacuna/runtime/kept_memory.h"
#include "lacuna/support/owned_memory.h"
#include "lacuna/support/small_vector.h"

namespace lacuna {

/// What a kernel handed back, a few things: memory by level and field, and counts by level.
struct KernelOutputs {
  struct Memory {
    int level;
    DescriptorField field;
    std::size_t array;  // of Nodes
    OwnedMemory data;
  };
  struct Count {
    int level;
    std::int64_t positions;
  };
  SmallVector<Memory, 12> arrays;
  SmallVector<Count, 6> counts;
};

/// Makes `result` what the kernel gets of the program's result `made`: sizes, and for results stored in place the
/// arrays, which are those that it had if they are alike and nobody else holds them. `pattern` shares its coordinates
/// (SharedPattern), copied by several threads where they lie among values. Arrays of another earlier result that nobody
/// else holds are lent to `kept`, if there is any.
void prepare_result(const concrete::Tensor& made, const std::vector<std::int64_t>& dimensions, const Storage* pattern,
                    int threads, Storage& result, KeptMemory* kept);

/// Makes `result` what the user asked for: arrays adopted and narrowed, streams coalesced, format and type converted.
/// Where the kernel did not make nodes that were asked for, the result is in array_format_of of that format
/// (format/format.h). `n`: which of the plan's results; `checked`: of its statement; `kept`: where memory comes from
/// and goes to, if any.
void finish_result(const Plan& plan, std::size_t n, const CheckedRequest& checked, KernelOutputs& outputs, int threads,
                   Storage& result, KeptMemory* kept);

}  // namespace lacuna
