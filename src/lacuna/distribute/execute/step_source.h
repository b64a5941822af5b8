#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace lacuna {

/// Where what is sent or copied in a step comes from: a part, or what a task of this rank has of the operand.
struct StepSource {
  std::optional<std::int64_t> part;
  std::size_t task = 0;
};

}  // namespace lacuna
