#pragma once

#include <cstdint>

#include "lacuna/format/format.h"

namespace lacuna {

/// A level kind as lacuna_kernel.h has it.
struct LevelKindOfAbi {
  std::int32_t number;
  const char* name;
};
LevelKindOfAbi level_kind_of_abi(LevelKind kind);

}  // namespace lacuna
