// Unions, intersections and differences of index sets.

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "lacuna/distribute/sets/index_set.h"
#include "lacuna/distribute/sets/word_bits.h"

namespace lacuna {

template <typename F>
IndexSet IndexSet::merged(const IndexSet& a, const IndexSet& b, const F& merge) {
  const auto &x = a.coordinates_, &y = b.coordinates_;
  std::vector<std::int64_t> both;
  both.reserve(x.size() + y.size());
  merge(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(both));
  return of_ascending(std::move(both));
}

IndexSet operator|(const IndexSet& a, const IndexSet& b) {
  if (a.empty() || a == b) return b;
  if (b.empty()) return a;
  if (b.keeps_bits() && !a.keeps_bits()) return b | a;
  const std::int64_t first = floor_of_64(std::min(a.bounds().begin, b.bounds().begin));
  const std::int64_t past = floor_of_64(std::max(a.bounds().end, b.bounds().end) - 1) + 1;
  const std::int64_t kept = std::ssize(a.words_) + std::ssize(b.words_) + static_cast<std::int64_t>(b.kept());
  if (a.keeps_bits() && past - first <= 2 * kept) {
    std::vector<std::uint64_t> words;
    words.reserve(static_cast<std::size_t>(past - first));
    for (std::int64_t k = first; k < past; ++k) words.push_back(a.word(k) | b.word(k));
    if (!b.keeps_bits()) b.for_each_interval([&](const Interval& run) { set_bits(run, first, words); });
    return IndexSet::of_words(first, words);
  }
  if (a.keeps_coordinates() && b.keeps_coordinates())
    return IndexSet::merged(a, b, [](auto... x) { std::set_union(x...); });
  const std::vector<Interval> left = a.intervals(), right = b.intervals();
  std::vector<Interval> both(left.size() + right.size());
  const auto earlier = [](const Interval& x, const Interval& y) { return x.begin < y.begin; };
  std::merge(left.begin(), left.end(), right.begin(), right.end(), both.begin(), earlier);
  IndexSetBuilder builder;
  for (const Interval& interval : both) builder.add(interval);
  return builder.finish();
}

/// What is in both, where that is known from how they are kept: of two sets of blocks, or of one and another set.
std::optional<IndexSet> IndexSet::common_blocks(const IndexSet& a, const IndexSet& b) {
  if (a.keeps_blocks() && b.keeps_blocks()) {
    const std::optional<BlockSet> both = BlockSet::common_of(a.blocks_, b.blocks_);
    return both ? std::optional(of_blocks(*both)) : std::nullopt;
  }
  if (b.keeps_blocks()) return common_blocks(b, a);
  if (!a.keeps_blocks()) return std::nullopt;
  if (b.keeps_bits()) {
    std::vector<std::uint64_t> words;
    for (std::int64_t k = b.first_word_; k < b.past_word(); ++k) words.push_back(b.word(k) & a.word_of_blocks(k));
    return of_words(b.first_word_, words);
  }
  IndexSetBuilder builder;
  b.for_each_interval(
      [&](const Interval& run) { a.for_each_interval_within(run, [&](const Interval& both) { builder.add(both); }); });
  return builder.finish();
}

std::uint64_t IndexSet::word_of_blocks(std::int64_t k) const {
  std::uint64_t bits = 0;
  blocks_.for_each_within({64 * k, 64 * k + 64},
                          [&](const Interval& run) { bits |= bits_from(run.begin) & bits_through(run.end - 1); });
  return bits;
}

IndexSet operator&(const IndexSet& a, const IndexSet& b) {
  if (a.is_interval()) return b.within(a.bounds());
  if (b.is_interval()) return a.within(b.bounds());
  if (a == b) return a;
  if (std::optional<IndexSet> both = IndexSet::common_blocks(a, b)) return *std::move(both);
  if (a.keeps_bits() && b.keeps_bits()) {
    const std::int64_t first = std::max(a.first_word_, b.first_word_), past = std::min(a.past_word(), b.past_word());
    std::vector<std::uint64_t> words;
    for (std::int64_t k = first; k < past; ++k) words.push_back(a.word(k) & b.word(k));
    return IndexSet::of_words(first, words);
  }
  if (a.keeps_coordinates() && b.keeps_coordinates())
    return IndexSet::merged(a, b, [](auto... x) { std::set_intersection(x...); });
  const std::vector<Interval> left = a.intervals(), right = b.intervals();
  IndexSetBuilder builder;
  for (std::size_t i = 0, j = 0; i < left.size() && j < right.size();) {
    builder.add(common(left[i], right[j]));
    if (left[i].end < right[j].end) ++i;
    else ++j;
  }
  return builder.finish();
}

IndexSet operator-(const IndexSet& a, const IndexSet& b) {
  if (a == b) return {};
  if (a.keeps_blocks() && b.keeps_blocks() && (a & b).empty()) return a;
  if (a.is_interval() && b.keeps_blocks())
    if (const std::optional<BlockSet> rest = b.blocks_.rest_of(a.bounds())) return IndexSet::of_blocks(*rest);
  if (a.keeps_bits()) {
    std::vector<std::uint64_t> words;
    for (const IndexSet::Word& word : a.words_) words.push_back(word.bits);
    const Interval all{64 * a.first_word_, 64 * a.past_word()};
    b.for_each_interval_within(all, [&](const Interval& gone) { clear_bits(gone, a.first_word_, words); });
    return IndexSet::of_words(a.first_word_, words);
  }
  if (a.keeps_coordinates() && b.keeps_coordinates())
    return IndexSet::merged(a, b, [](auto... x) { std::set_difference(x...); });
  IndexSetBuilder builder;
  a.for_each_interval([&](Interval rest) {
    b.for_each_interval_within(rest, [&](const Interval& gone) {
      builder.add({rest.begin, gone.begin});
      rest.begin = gone.end;
    });
    builder.add(rest);
  });
  return builder.finish();
}

IndexSet ranks_of(const IndexSet& part, const IndexSet& set) {
  if (part.size() == set.size()) return IndexSet::range(0, set.size());
  AscendingRanks rank(set);
  IndexSetBuilder ranks;
  part.for_each_interval([&](const Interval& run) {
    const std::int64_t first = rank(run.begin);
    ranks.add({first, first + run.size()});
  });
  return ranks.finish();
}

}  // namespace lacuna
