#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace lacuna::loop {

/// What ran: arithmetic operations on values (wraps or float; calls of named functions and updates of elements count
/// one), bytes loaded and stored, and trips by loop variable name.
struct Counters {
  std::int64_t operations = 0;
  std::int64_t bytes_loaded = 0;
  std::int64_t bytes_stored = 0;
  std::map<std::string, std::int64_t> trips;  // For and While; a While counts under "while"
};

}  // namespace lacuna::loop
