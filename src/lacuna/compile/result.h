#pragma once

#include <map>
#include <memory>

#include "lacuna/compile/plan.h"

namespace lacuna {

/// What a kernel handed back: memory by level and field, and counts by level.
struct KernelOutputs {
  std::map<std::pair<int, DescriptorField>, std::shared_ptr<void>> arrays;
  std::map<int, std::int64_t> positions;
};

/// Makes `result` what the kernel gets: sizes, and for results stored in place the arrays, which are those that it had
/// if they are alike and nobody else holds them. `pattern` shares its coordinates (SharedPattern).
void prepare_result(const concrete::Program& program, const std::vector<std::int64_t>& dimensions,
                    const Storage* pattern, Storage& result);

/// Makes `result` what the user asked for: arrays adopted and narrowed, streams coalesced, format and type converted.
void finish_result(const Plan& plan, const CheckedRequest& checked, KernelOutputs& outputs, int threads,
                   Storage& result);

}  // namespace lacuna
