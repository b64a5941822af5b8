#pragma once

#include <cstdint>
#include <string_view>

#include <zlib.h>

namespace lacuna::zip {

// Records of zip archives begin with these, and hold little-endian numbers at fixed places (PKWARE's APPNOTE, 6.3).
inline constexpr std::string_view end_mark = "PK\x05\x06", wide_end_mark = "PK\x06\x06",
                                  wide_locator_mark = "PK\x06\x07", directory_mark = "PK\x01\x02",
                                  local_mark = "PK\x03\x04";
inline constexpr std::uint64_t stored = 0, deflated = 8;  // how files are packed
/// A number of 32 bits that says that the number itself is in a field of 64-bit ones.
inline constexpr std::uint64_t narrow_most = 0xFFFFFFFFU;
inline constexpr std::uint64_t wide_extra = 1;  // the kind of that field

inline std::uint32_t checksum_of(std::string_view bytes, std::uint32_t before = 0) {
  return static_cast<std::uint32_t>(crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace lacuna::zip
