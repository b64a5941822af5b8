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

/// The result as the kernel gets it: sizes, and for results stored in place the arrays, which are those of an earlier
/// result where they are alike and nobody else holds them. `pattern` shares its coordinates (SharedPattern).
Storage result_before(const concrete::Program& program, const std::vector<std::int64_t>& dimensions,
                      const Storage* pattern, Storage earlier = {});

/// The result as the user asked for it: arrays adopted and narrowed, streams coalesced, format and type converted.
Storage result_after(const Plan& plan, const CheckedRequest& checked, Storage result, KernelOutputs& outputs,
                     int threads);

}  // namespace lacuna
