#include "lacuna/distribute/sets/index_set.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "lacuna/distribute/sets/word_bits.h"
#include "lacuna/support/check.h"

namespace lacuna {

void IndexSetBuilder::add(const Interval& interval) {
  if (interval.empty()) return;
  if (!intervals_.empty()) {
    internal_check(interval.begin >= intervals_.back().begin, "an interval from {} after one from {}", interval.begin,
                   intervals_.back().begin);
    if (interval.begin <= intervals_.back().end) {
      intervals_.back().end = std::max(intervals_.back().end, interval.end);
      return;
    }
  }
  intervals_.push_back(interval);
  if (intervals_.size() >= next_fold_) fold();
}

namespace {

/// How a set is kept: as what takes the least numbers.
enum class Kept { Intervals, Coordinates, Words };
Kept way_to_keep(std::int64_t size, std::int64_t intervals, const Interval& bounds) {
  const std::int64_t words = floor_of_64(bounds.end - 1) - floor_of_64(bounds.begin) + 1;
  const std::int64_t least = std::min({3 * intervals, size, 2 * words});
  if (intervals <= 1 || least == 3 * intervals) return Kept::Intervals;
  return least == size ? Kept::Coordinates : Kept::Words;
}

}  // namespace

/// All but the last interval, which may grow.
void IndexSetBuilder::fold() {
  const std::int64_t first = words_.empty() ? floor_of_64(intervals_.front().begin) : first_word_;
  const std::int64_t words = floor_of_64(intervals_.back().end - 1) - first + 1;
  if (2 * words > 3 * (folded_ + std::ssize(intervals_))) {
    next_fold_ *= 2;  // they are far from each other
    return;
  }
  first_word_ = first;
  words_.resize(static_cast<std::size_t>(words));
  for (const Interval& interval : std::span(intervals_).first(intervals_.size() - 1))
    set_bits(interval, first_word_, words_);
  folded_ += std::ssize(intervals_) - 1;
  intervals_.erase(intervals_.begin(), intervals_.end() - 1);
}

void IndexSetBuilder::unfold() {
  IndexSetBuilder all;
  all.next_fold_ = never;
  IndexSet::of_words(first_word_, words_).for_each_interval([&](const Interval& run) { all.add(run); });
  for (const Interval& interval : intervals_) all.add(interval);
  *this = std::move(all);
}

IndexSet IndexSetBuilder::finish() {
  if (!words_.empty()) {
    const std::int64_t words = floor_of_64(intervals_.back().end - 1) - first_word_ + 1;
    if (2 * words <= 3 * (folded_ + std::ssize(intervals_))) {
      words_.resize(static_cast<std::size_t>(words));
      for (const Interval& interval : intervals_) set_bits(interval, first_word_, words_);
      IndexSet set = IndexSet::of_words(first_word_, words_);
      *this = {};
      return set;
    }
    unfold();
  }
  IndexSet set;
  for (const Interval& interval : intervals_) set.size_ += interval.size();
  set.intervals_ = std::move(intervals_);
  intervals_.clear();
  return std::move(set).in_its_form();
}

IndexSet IndexSet::in_its_form() && {
  if (empty()) return {};
  const std::int64_t intervals = stretches();
  if (intervals >= BlockFinder::least)
    if (const BlockSet blocks = find_blocks(); blocks.length > 0) return of_blocks(blocks);
  switch (way_to_keep(size_, intervals, bounds())) {
    case Kept::Words: return keeps_bits() ? std::move(*this) : as_words();
    case Kept::Coordinates: return keeps_coordinates() ? std::move(*this) : as_coordinates();
    case Kept::Intervals: break;
  }
  if (intervals_.empty()) {
    IndexSet set;
    set.size_ = size_;
    set.intervals_ = this->intervals();
    *this = std::move(set);
  }
  std::int64_t before = 0;
  before_.reserve(intervals_.size());
  for (const Interval& interval : intervals_) {
    before_.push_back(before);
    before += interval.size();
  }
  return std::move(*this);
}

IndexSet IndexSet::as_words() const {
  const std::int64_t first = floor_of_64(bounds().begin);
  std::vector<std::uint64_t> words(static_cast<std::size_t>(floor_of_64(bounds().end - 1) - first + 1));
  for_each_interval([&](const Interval& run) { set_bits(run, first, words); });
  IndexSet set;
  set.keep_words(first, words);
  return set;
}

IndexSet IndexSet::as_coordinates() const {
  IndexSet set;
  set.size_ = size_;
  set.coordinates_.reserve(static_cast<std::size_t>(size_));
  for_each_interval([&](const Interval& run) {
    for (std::int64_t i = run.begin; i < run.end; ++i) set.coordinates_.push_back(i);
  });
  return set;
}

IndexSet IndexSet::of_ascending(std::vector<std::int64_t> coordinates) {
  IndexSet set;
  set.size_ = std::ssize(coordinates);
  set.coordinates_ = std::move(coordinates);
  set.coordinates_.shrink_to_fit();
  return std::move(set).in_its_form();
}

void IndexSet::keep_words(std::int64_t first, std::span<const std::uint64_t> words) {
  first_word_ = first;
  size_ = 0;
  words_.reserve(words.size());
  for (const std::uint64_t bits : words) {
    words_.push_back({bits, size_});
    size_ += std::popcount(bits);
  }
}

IndexSet IndexSet::of_words(std::int64_t first, std::span<const std::uint64_t> words) {
  while (!words.empty() && words.back() == 0) words = words.first(words.size() - 1);
  for (; !words.empty() && words.front() == 0; ++first) words = words.subspan(1);
  IndexSet set;
  set.keep_words(first, words);
  return std::move(set).in_its_form();
}

/// Looks at a few numbers, then at more: most sets that are no blocks show it at once.
BlockSet IndexSet::find_blocks() const {
  const Interval all = bounds();
  for (std::int64_t width = 1 << 10;; width *= 8) {
    const bool is_whole = width >= all.size() / 8;
    BlockFinder finder;
    bool may_be = true;
    for_each_interval_within(is_whole ? all : Interval{all.begin, all.begin + width},
                             [&](const Interval& run) { may_be = may_be && finder.add(run); });
    if (!may_be) return {};
    if (is_whole) return finder.blocks();
  }
}

namespace {

/// A bit for each of 64 marks, eight at a time: the product moves the lowest bits of eight bytes into its highest byte.
std::uint64_t bits_of(const std::uint8_t* marks) {
  static_assert(std::endian::native == std::endian::little, "the first of eight bytes is the lowest");
  std::uint64_t bits = 0;
  for (int k = 0; k < 64; k += 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, marks + k, sizeof eight);
    bits |= (eight * 0x0102040810204080U >> 56) << k;
  }
  return bits;
}

}  // namespace

IndexSet IndexSet::of_marks(std::int64_t first, std::span<const std::uint8_t> marks) {
  const std::int64_t first_word = floor_of_64(first), past = first + std::ssize(marks);
  std::vector<std::uint64_t> words(static_cast<std::size_t>(floor_of_64(past + 63) - first_word));
  for (std::int64_t i = first; i < past;) {
    const std::uint8_t* const at = marks.data() + (i - first);
    std::uint64_t& word = words[static_cast<std::size_t>(floor_of_64(i) - first_word)];
    if ((i & 63) == 0 && past - i >= 64) {
      word = bits_of(at);
      i += 64;
      continue;
    }
    word |= std::uint64_t{*at} << (i & 63);
    ++i;
  }
  return of_words(first_word, words);
}

IndexSet IndexSet::range(std::int64_t begin, std::int64_t end) {
  IndexSetBuilder builder;
  builder.add({begin, end});
  return builder.finish();
}

IndexSet IndexSet::of_blocks(const Interval& interval, std::int64_t length, std::int64_t period) {
  if (interval.empty()) return {};
  if (length == period) return range(interval);
  const std::int64_t last = (interval.size() - 1) / period * period;  // where the last one begins, from the first
  const std::int64_t end = interval.begin + last + std::min(length, interval.size() - last);
  return of_blocks(BlockSet{length, period, interval.begin, interval.begin, end});
}

IndexSet IndexSet::of_blocks(const BlockSet& blocks) {
  IndexSet set;
  if (blocks.length == 0) return set;
  set.blocks_ = blocks;
  set.size_ = blocks.size();
  if (blocks.count() >= BlockFinder::least) return set;
  IndexSetBuilder builder;
  blocks.for_each_within({blocks.begin, blocks.end}, [&](const Interval& run) { builder.add(run); });
  return builder.finish();
}

IndexSet IndexSet::of_intervals(std::vector<Interval> intervals) {
  const auto earlier = [](const Interval& a, const Interval& b) { return a.begin < b.begin; };
  if (!std::is_sorted(intervals.begin(), intervals.end(), earlier))
    std::sort(intervals.begin(), intervals.end(), earlier);
  IndexSetBuilder builder;
  for (const Interval& interval : intervals) builder.add(interval);
  return builder.finish();
}

IndexSet IndexSet::of_coordinates(std::vector<std::int64_t> coordinates) {
  std::sort(coordinates.begin(), coordinates.end());
  coordinates.erase(std::unique(coordinates.begin(), coordinates.end()), coordinates.end());
  return of_ascending(std::move(coordinates));
}

std::size_t IndexSet::first_from(std::int64_t i) const {
  if (!coordinates_.empty()) {
    return static_cast<std::size_t>(std::lower_bound(coordinates_.begin(), coordinates_.end(), i) -
                                    coordinates_.begin());
  }
  const auto ends_before = [](const Interval& interval, std::int64_t at) { return interval.end <= at; };
  return static_cast<std::size_t>(std::lower_bound(intervals_.begin(), intervals_.end(), i, ends_before) -
                                  intervals_.begin());
}

bool IndexSet::contains(std::int64_t i) const {
  if (keeps_blocks()) return blocks_.contains(i);
  if (keeps_bits()) return (word(floor_of_64(i)) >> (i & 63) & 1) != 0;
  const std::size_t k = first_from(i);
  return k < kept() && at(k).contains(i);
}

Interval IndexSet::bounds() const {
  if (empty()) return {};
  if (keeps_blocks()) return {blocks_.begin, blocks_.end};
  if (!keeps_bits()) return {at(0).begin, at(kept() - 1).end};
  return {64 * first_word_ + std::countr_zero(words_.front().bits),
          64 * past_word() - std::countl_zero(words_.back().bits)};
}

std::int64_t IndexSet::stretches() const {
  if (keeps_blocks()) return blocks_.count();
  if (!keeps_bits() && !keeps_coordinates()) return std::ssize(intervals_);
  std::int64_t count = 0;
  if (keeps_coordinates()) {
    for_each_interval([&](const Interval&) { ++count; });
    return count;
  }
  std::uint64_t last = 0;  // bit of the word before
  for (const Word& word : words_) {
    count += std::popcount(word.bits & ~(word.bits << 1 | last));
    last = word.bits >> 63;
  }
  return count;
}

std::int64_t IndexSet::rank(std::int64_t i) const {
  if (keeps_blocks()) return blocks_.rank(i);
  if (keeps_bits()) {
    const std::int64_t k = floor_of_64(i);
    if (k < first_word_) return 0;
    if (k >= past_word()) return size_;
    const Word& word = words_[static_cast<std::size_t>(k - first_word_)];
    return word.before + std::popcount(word.bits & bits_below(i));
  }
  const std::size_t k = first_from(i);
  if (k == kept()) return size_;
  if (!coordinates_.empty()) return static_cast<std::int64_t>(k);
  return before_[k] + std::max<std::int64_t>(0, i - intervals_[k].begin);
}

std::int64_t IndexSet::number(std::int64_t rank) const {
  if (keeps_blocks()) return blocks_.number(rank);
  if (keeps_coordinates()) return coordinates_[static_cast<std::size_t>(rank)];
  if (keeps_bits()) {
    const auto comes_later = [](std::int64_t r, const Word& word) { return r < word.before; };
    const auto at = std::upper_bound(words_.begin(), words_.end(), rank, comes_later) - 1;
    std::uint64_t bits = at->bits;
    for (std::int64_t k = at->before; k < rank; ++k) bits &= bits - 1;
    return 64 * (first_word_ + (at - words_.begin())) + std::countr_zero(bits);
  }
  const auto k = static_cast<std::size_t>(std::upper_bound(before_.begin(), before_.end(), rank) - before_.begin()) - 1;
  return intervals_[k].begin + rank - before_[k];
}

IndexSet IndexSet::slice(const Interval& ranks) const {
  const Interval wanted = common(ranks, {0, size_});
  if (wanted.empty()) return {};
  return within({number(wanted.begin), number(wanted.end - 1) + 1});
}

IndexSet IndexSet::within(const Interval& interval) const {
  const Interval all = bounds();
  if (interval.begin <= all.begin && all.end <= interval.end) return *this;
  const Interval both = common(interval, all);
  if (both.empty()) return {};
  if (keeps_blocks()) return of_blocks(blocks_.within(both));
  if (keeps_coordinates()) {
    const auto at = [&](std::int64_t i) { return std::lower_bound(coordinates_.begin(), coordinates_.end(), i); };
    return of_ascending({at(both.begin), at(both.end)});
  }
  if (keeps_bits()) {
    std::vector<std::uint64_t> words;
    const std::int64_t first = floor_of_64(both.begin), last = floor_of_64(both.end - 1);
    for (std::int64_t k = first; k <= last; ++k) words.push_back(word(k));
    words.front() &= bits_from(both.begin);
    words.back() &= bits_through(both.end - 1);
    return of_words(first, words);
  }
  IndexSetBuilder builder;
  for_each_interval_within(interval, [&](const Interval& run) { builder.add(run); });
  return builder.finish();
}

IndexSet IndexSet::shifted(std::int64_t by) const {
  if (keeps_blocks()) return of_blocks(blocks_.shifted(by));
  if (!keeps_bits()) {
    IndexSetBuilder builder;
    for_each_interval([&](const Interval& run) { builder.add({run.begin + by, run.end + by}); });
    return builder.finish();
  }
  const std::int64_t first = floor_of_64(64 * first_word_ + by);
  const auto up = static_cast<unsigned>(by & 63);
  std::vector<std::uint64_t> words;
  for (std::int64_t k = first_word_; k <= past_word(); ++k)
    words.push_back(up == 0 ? word(k) : word(k) << up | word(k - 1) >> (64 - up));
  return of_words(first, words);
}

namespace {

constexpr std::int64_t blocks_follow = std::numeric_limits<std::int64_t>::min();

}  // namespace

/// How many intervals, and these; or less than none, how many words, the first one's number, and these; or blocks.
void IndexSet::append_to(std::vector<std::int64_t>& numbers) const {
  if (keeps_blocks()) {
    numbers.insert(numbers.end(),
                   {blocks_follow, blocks_.length, blocks_.period, blocks_.first, blocks_.begin, blocks_.end});
    return;
  }
  if (keeps_bits()) {
    numbers.insert(numbers.end(), {-std::ssize(words_), first_word_});
    for (const Word& word : words_) numbers.push_back(std::bit_cast<std::int64_t>(word.bits));
    return;
  }
  const std::vector<Interval> all = intervals();
  numbers.push_back(std::ssize(all));
  for (const Interval& run : all) numbers.insert(numbers.end(), {run.begin, run.end});
}

IndexSet IndexSet::read_from(std::span<const std::int64_t> numbers, std::size_t& at) {
  const std::int64_t count = numbers[at++];
  if (count == blocks_follow) {
    const auto five = numbers.subspan(at, 5);
    at += 5;
    return of_blocks(BlockSet{five[0], five[1], five[2], five[3], five[4]});
  }
  if (count < 0) {
    const std::int64_t first = numbers[at++];
    std::vector<std::uint64_t> words;
    for (std::int64_t k = 0; k < -count; ++k) words.push_back(std::bit_cast<std::uint64_t>(numbers[at++]));
    return of_words(first, words);
  }
  IndexSetBuilder builder;
  for (std::int64_t k = 0; k < count; ++k, at += 2) builder.add({numbers[at], numbers[at + 1]});
  return builder.finish();
}

std::vector<Interval> IndexSet::intervals() const {
  std::vector<Interval> all;
  for_each_interval([&](const Interval& run) { all.push_back(run); });
  return all;
}

std::string IndexSet::to_string() const {
  std::vector<std::string> texts;
  for_each_interval([&](const Interval& run) {
    texts.push_back(run.size() == 1 ? fmt::format("{}", run.begin) : fmt::format("{}-{}", run.begin, run.end - 1));
  });
  return fmt::format("{{{}}}", fmt::join(texts, ", "));
}

}  // namespace lacuna
