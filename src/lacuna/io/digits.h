#pragma once

#include <cstdint>
#include <cstring>

namespace lacuna {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

namespace detail {

/// Eight bytes with the value of a decimal digit each, the first byte the most significant, as one number.
inline std::uint64_t join_eight_digits(std::uint64_t digits) {
  digits = digits * 10 + (digits >> 8U);
  constexpr std::uint64_t pairs = 0x000000FF000000FFU;
  return ((digits & pairs) * 0x000F424000000064U + ((digits >> 16U) & pairs) * 0x0000271000000001U) >> 32U;
}

}  // namespace detail

}  // namespace lacuna
