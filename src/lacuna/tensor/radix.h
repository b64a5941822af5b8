#pragma once

#include <cstdint>
#include <span>

namespace lacuna {

/// What is sorted: a key, and a word that goes with it (a value or an entry's number).
struct KeyedWord {
  std::uint64_t key;
  std::uint64_t word;
};

/// Sorts `items` stably by the low `bits` bits of their keys; `scratch` is as long and holds nothing of use afterwards.
/// Long lists are first dealt into buckets by their highest bits, which memory does in one stream a bucket, until a
/// bucket fits the cache; there, passes from the lowest bits up finish it.
void radix_sort(std::span<KeyedWord> items, std::span<KeyedWord> scratch, int bits, int threads);

}  // namespace lacuna
