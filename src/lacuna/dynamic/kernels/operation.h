#pragma once

#include <cstdint>

namespace lacuna {

/// What an update does to one entry of a tensor.
enum class UpdateOperation : std::uint8_t {
  Add,     // adds to the entry, which is made where there is none
  Assign,  // the same, but replaces what the entry holds
  Erase,   // takes the entry out, where there is one
  Find     // changes nothing: says what the entry holds (lookup.h)
};

}  // namespace lacuna
