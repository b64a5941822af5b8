#pragma once

#include <string_view>

namespace lacuna {

/// calls.h and calls.c, one after the other.
std::string_view mpi_calls_text();

}  // namespace lacuna
