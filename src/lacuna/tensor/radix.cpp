#include "lacuna/tensor/radix.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <utility>
#include <vector>

#include "lacuna/tensor/chunks.h"

namespace lacuna {

namespace {

using Items = std::span<KeyedWord>;

/// More buckets than this are more streams than the processor's address cache follows.
constexpr int largest_digit = 10;
using Counts = std::array<std::size_t, std::size_t{1} << largest_digit>;

/// Items and scratch of this many stay in a core's own cache.
constexpr std::size_t cached_items = std::size_t{1} << 14;
constexpr std::size_t few_items = 32;

struct Digit {
  int shift;
  int bits;
  std::size_t buckets() const { return std::size_t{1} << bits; }
  std::size_t of(const KeyedWord& item) const { return item.key >> shift & (buckets() - 1); }
};

void count(std::span<const KeyedWord> items, Digit digit, Counts& counts) {
  std::fill_n(counts.begin(), digit.buckets(), std::size_t{0});
  for (const KeyedWord& item : items) ++counts[digit.of(item)];
}

/// Turns counts into first places. False where one bucket holds all of `size`.
bool start_buckets(Counts& counts, Digit digit, std::size_t size) {
  std::size_t place = 0;
  for (std::size_t bucket = 0; bucket < digit.buckets(); ++bucket) {
    if (counts[bucket] == size) return false;
    place += std::exchange(counts[bucket], place);
  }
  return true;
}

void deal(std::span<const KeyedWord> from, Items to, Digit digit, Counts& places) {
  for (const KeyedWord& item : from) to[places[digit.of(item)]++] = item;
}

void insertion_sort(Items items) {
  for (std::size_t i = 1; i < items.size(); ++i) {
    const KeyedWord item = items[i];
    std::size_t hole = i;
    for (; hole > 0 && items[hole - 1].key > item.key; --hole) items[hole] = items[hole - 1];
    items[hole] = item;
  }
}

/// Passes from the lowest digit up. The result goes to `other` where `into_other`, else stays in `items`.
void sort_cached(Items items, Items other, int bits, bool into_other) {
  // Histograms much larger than the list would cost more than the list.
  const int widest = std::clamp(static_cast<int>(std::bit_width(items.size())) - 1, 4, largest_digit);
  const int passes = (bits + widest - 1) / widest;
  const int width = (bits + passes - 1) / passes;
  bool in_other = false;
  Counts counts;
  for (int shift = 0; shift < bits; shift += width) {
    const Digit digit{shift, std::min(width, bits - shift)};
    count(items, digit, counts);
    if (!start_buckets(counts, digit, items.size())) continue;
    deal(items, other, digit, counts);
    std::swap(items, other);
    in_other = !in_other;
  }
  if (in_other != into_other) std::copy(items.begin(), items.end(), other.begin());
}

/// Sorts by the low `bits` bits (higher ones are equal); the result goes to `other` where `into_other`.
void sort_range(Items items, Items other, int bits, bool into_other) {
  if (items.size() <= few_items || bits <= 0) {
    if (bits > 0) insertion_sort(items);
    if (into_other) std::copy(items.begin(), items.end(), other.begin());
    return;
  }
  if (items.size() <= cached_items) return sort_cached(items, other, bits, into_other);
  const int width = std::min(bits, largest_digit);
  const Digit digit{bits - width, width};
  Counts places;
  count(items, digit, places);
  if (!start_buckets(places, digit, items.size())) return sort_range(items, other, digit.shift, into_other);
  deal(items, other, digit, places);
  // Dealing moved each bucket's first place to its end.
  std::size_t begin = 0;
  for (std::size_t bucket = 0; bucket < digit.buckets(); ++bucket) {
    const std::size_t size = places[bucket] - begin;
    sort_range(other.subspan(begin, size), items.subspan(begin, size), digit.shift, !into_other);
    begin = places[bucket];
  }
}

/// The same with the first deal and the buckets shared among threads; the result stays in `items`.
void sort_parallel(Items items, Items scratch, int bits, int chunks) {
  const int width = std::min(bits, largest_digit);
  const Digit digit{bits - width, width};
  const auto size = static_cast<std::int64_t>(items.size());
  std::vector<Counts> places(static_cast<std::size_t>(chunks));
  const auto part = [&](std::int64_t begin, std::int64_t end) {
    return items.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
  };
  run_chunks(chunks, size, [&](int chunk, std::int64_t begin, std::int64_t end) {
    count(part(begin, end), digit, places[static_cast<std::size_t>(chunk)]);
  });
  std::vector<std::size_t> bounds(digit.buckets() + 1);
  std::size_t place = 0;
  for (std::size_t bucket = 0; bucket < digit.buckets(); ++bucket) {
    bounds[bucket] = place;
    for (Counts& chunk : places) place += std::exchange(chunk[bucket], place);
  }
  bounds.back() = place;
  run_chunks(chunks, size, [&](int chunk, std::int64_t begin, std::int64_t end) {
    deal(part(begin, end), scratch, digit, places[static_cast<std::size_t>(chunk)]);
  });
  std::atomic<std::size_t> next{0};
  run_chunks(chunks, chunks, [&](int, std::int64_t, std::int64_t) {
    for (std::size_t bucket = next++; bucket < digit.buckets(); bucket = next++) {
      const std::size_t begin = bounds[bucket];
      const std::size_t length = bounds[bucket + 1] - begin;
      sort_range(scratch.subspan(begin, length), items.subspan(begin, length), digit.shift, true);
    }
  });
}

}  // namespace

void radix_sort(Items items, Items scratch, int bits, int threads) {
  const int chunks = worthwhile_threads(threads, static_cast<std::int64_t>(items.size()));
  if (chunks > 1 && bits > 0) sort_parallel(items, scratch, bits, chunks);
  else sort_range(items, scratch, bits, false);
}

}  // namespace lacuna
