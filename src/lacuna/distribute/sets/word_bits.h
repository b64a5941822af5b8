#pragma once

#include <cstdint>
#include <vector>

#include "lacuna/distribute/sets/index_set.h"

namespace lacuna {

// Sets of numbers as bits, 64 in a word.

/// The bits of a word from a number on, below one, or up to and with one.
inline std::uint64_t bits_from(std::int64_t i) { return ~std::uint64_t{0} << (i & 63); }
inline std::uint64_t bits_below(std::int64_t i) { return ~bits_from(i); }
inline std::uint64_t bits_through(std::int64_t i) { return ~std::uint64_t{0} >> (63 - (i & 63)); }

/// Sets or clears the bits of an interval in words that begin at the word `first`.
template <typename F>
void each_word_of(const Interval& interval, std::int64_t first, std::vector<std::uint64_t>& words, const F& f) {
  for (std::int64_t k = floor_of_64(interval.begin); k <= floor_of_64(interval.end - 1); ++k) {
    std::uint64_t bits = ~std::uint64_t{0};
    if (k == floor_of_64(interval.begin)) bits &= bits_from(interval.begin);
    if (k == floor_of_64(interval.end - 1)) bits &= bits_through(interval.end - 1);
    f(words[static_cast<std::size_t>(k - first)], bits);
  }
}
inline void set_bits(const Interval& interval, std::int64_t first, std::vector<std::uint64_t>& words) {
  each_word_of(interval, first, words, [](std::uint64_t& word, std::uint64_t bits) { word |= bits; });
}
inline void clear_bits(const Interval& interval, std::int64_t first, std::vector<std::uint64_t>& words) {
  each_word_of(interval, first, words, [](std::uint64_t& word, std::uint64_t bits) { word &= ~bits; });
}

}  // namespace lacuna
