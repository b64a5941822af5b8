#pragma once

#include <cstdint>

namespace lacuna::contest {

/// The sum of an array on so many threads: a loop that does nothing but read.
double sum_of(const double* numbers, std::int64_t size, int threads);

}  // namespace lacuna::contest
