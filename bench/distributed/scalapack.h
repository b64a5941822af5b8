#pragma once

#include <optional>

#include "bench/contest/contestant.h"
#include "bench/distributed/ranks.h"

namespace lacuna::contest {

/// pdgemm: the product of square dense matrices, on ranks in a column, in square blocks of so many rows that are dealt
/// out in turn. None without ScaLAPACK. Collective.
std::optional<Contestant> pdgemm(const Storage& b, const Storage& c, std::int64_t block, Ranks& ranks);

}  // namespace lacuna::contest
