#pragma once

#include <bit>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "lacuna/io/digits.h"

namespace lacuna {

/// Finds the ends of numbers in the next 64 bytes by comparing all of them at once. Reading a number then needs no walk
/// over its digits, and the next number need not wait for this one: parsing is several times faster than digit by
/// digit.
class DigitWindow {
 public:
  static constexpr std::ptrdiff_t bytes = 64;
  /// As many bytes must be readable from `begin` on: loads of eight bytes reach beyond the window.
  static constexpr std::ptrdiff_t readable_bytes = bytes + 8;
#if defined(__SSE2__)
  static constexpr bool available = std::endian::native == std::endian::little;

  explicit DigitWindow(const char* begin) : begin_(begin) {
    for (unsigned i = 0; i < 4; ++i) others_ |= non_digits(begin + 16 * i) << (16 * i);
  }
#else
  static constexpr bool available = false;
  explicit DigitWindow(const char* begin) : begin_(begin) {}
#endif

  /// The next byte that is no digit; the window's end when there is none.
  const char* next_other() {
    const char* found = begin_ + std::countr_zero(others_);
    others_ &= others_ - 1;
    return found;
  }
  /// Counts the digits from `p` to `end`; false when there are more than `most`, or when `p` lies past the window.
  static bool count_digits(const char* p, const char* end, std::ptrdiff_t most, std::ptrdiff_t& digits) {
    digits = end - p;
    return digits >= 0 && digits <= most;
  }
  /// The number that `digits` (0 to 8) digits from `p` on make.
  static std::uint64_t join(const char* p, std::ptrdiff_t digits) {
    std::uint64_t v = 0;
    std::memcpy(&v, p, 8);
    // In two steps, because a shift by 64 is undefined.
    const auto unused = static_cast<unsigned>(8 - digits) * 4;
    return detail::join_eight_digits(((v ^ 0x3030303030303030U) << unused) << unused);
  }

 private:
#if defined(__SSE2__)
  static std::uint64_t non_digits(const char* p) {
    const __m128i chars = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    // Moves '0'…'9' to the ten least signed values.
    const __m128i moved = _mm_add_epi8(chars, _mm_set1_epi8(static_cast<char>(-128 - '0')));
    const __m128i digits = _mm_cmplt_epi8(moved, _mm_set1_epi8(-128 + 10));
    return static_cast<std::uint64_t>(~_mm_movemask_epi8(digits) & 0xFFFF);
  }
#endif
  const char* begin_;
  std::uint64_t others_ = 0;
};

/// Reads a number without exponent when it is the quotient of two integers that a double holds, so that a single
/// division rounds it right, and when a line end follows. Returns the start of the next line, or null.
inline const char* scan_short_decimal(DigitWindow& window, const char* begin, double& value) {
  static constexpr std::uint64_t powers[] = {1,
                                             10,
                                             100,
                                             1000,
                                             10000,
                                             100000,
                                             1000000,
                                             10000000,
                                             100000000,
                                             1000000000,
                                             10000000000,
                                             100000000000,
                                             1000000000000,
                                             10000000000000,
                                             100000000000000,
                                             1000000000000000,
                                             10000000000000000};
  static constexpr double real_powers[] = {1,   1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7, 1e8,
                                           1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16};
  constexpr std::int64_t largest_exact = std::int64_t{1} << 53U;
  const bool negative = *begin == '-';
  if (negative) {
    window.next_other();
    ++begin;
  }
  const char* end = window.next_other();
  std::ptrdiff_t digits = 0;
  if (!DigitWindow::count_digits(begin, end, 8, digits)) return nullptr;
  std::uint64_t mantissa = DigitWindow::join(begin, digits);
  std::ptrdiff_t places = 0;
  if (*end == '.') {
    const char* fraction = end + 1;
    end = window.next_other();
    if (!DigitWindow::count_digits(fraction, end, 16, places)) return nullptr;
    if (places <= 8) {
      mantissa = mantissa * powers[places] + DigitWindow::join(fraction, places);
    } else {
      if (digits + places > 18) return nullptr;
      const std::uint64_t low = DigitWindow::join(fraction + 8, places - 8);
      mantissa = mantissa * powers[places] + DigitWindow::join(fraction, 8) * powers[places - 8] + low;
    }
  }
  if (digits + places == 0 || mantissa > largest_exact) return nullptr;
  if (*end == '\r') ++end;
  if (*end != '\n') return nullptr;
  const double magnitude = static_cast<double>(static_cast<std::int64_t>(mantissa)) / real_powers[places];
  value = negative ? -magnitude : magnitude;
  return end + 1;
}

}  // namespace lacuna
