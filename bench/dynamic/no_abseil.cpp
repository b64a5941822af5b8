#include "bench/dynamic/abseil.h"

namespace lacuna::contest {

std::optional<Contestant> abseil_union(const Storage&, const Storage&) { return std::nullopt; }

std::optional<Contestant> abseil_inserts(const Storage&, const CoordinateList&) { return std::nullopt; }

}  // namespace lacuna::contest
