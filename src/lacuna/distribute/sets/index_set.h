#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lacuna/distribute/sets/block_set.h"
#include "lacuna/support/interval.h"

namespace lacuna {

/// Of 64 numbers from 64 * k on, the k; of negative numbers, too.
inline std::int64_t floor_of_64(std::int64_t i) { return i >> 6; }

/// A set of whole numbers: coordinates of a mode, or positions of a level. Kept as what is the least: disjoint
/// intervals, a list of the numbers, both ascending, or a bit for each number from the least to the greatest; or, where
/// they are many, as blocks that come back at equal distances, of which five numbers say all. Equal sets are kept
/// alike. A value. Operations on sets take time in proportion to what is kept of them; of blocks with others, to how
/// many there are.
class IndexSet {
 public:
  IndexSet() = default;
  /// [begin, end).
  static IndexSet range(std::int64_t begin, std::int64_t end);
  static IndexSet range(const Interval& interval) { return range(interval.begin, interval.end); }
  /// In any order; they may overlap.
  static IndexSet of_intervals(std::vector<Interval> intervals);
  /// In any order; they may repeat.
  static IndexSet of_coordinates(std::vector<std::int64_t> coordinates);
  /// Of an interval, the first `length` of each `period` numbers; 0 < length <= period.
  static IndexSet of_blocks(const Interval& interval, std::int64_t length, std::int64_t period);
  /// `first` + k for each k whose mark is 1; all others are 0.
  static IndexSet of_marks(std::int64_t first, std::span<const std::uint8_t> marks);

  std::int64_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  bool contains(std::int64_t i) const;
  /// From the least to the greatest, and one on; empty at 0 for the empty set.
  Interval bounds() const;
  /// All numbers between the least and the greatest are there.
  bool is_interval() const { return size_ == bounds().size(); }
  /// Whether single numbers are kept, or bits.
  bool keeps_coordinates() const { return !coordinates_.empty(); }
  bool keeps_bits() const { return !words_.empty(); }
  bool keeps_blocks() const { return blocks_.length > 0; }
  /// How many stretches of neighbours there are.
  std::int64_t stretches() const;

  /// How many of its numbers are less than i.
  std::int64_t rank(std::int64_t i) const;
  /// The number of a rank that there is.
  std::int64_t number(std::int64_t rank) const;
  /// The numbers whose ranks are in the interval, which may reach past the end.
  IndexSet slice(const Interval& ranks) const;
  /// The numbers in the interval.
  IndexSet within(const Interval& interval) const;
  /// i + `by` for each number i.
  IndexSet shifted(std::int64_t by) const;

  /// Adds the set to numbers that are sent, and reads it from such, from `at` on, which goes past it.
  void append_to(std::vector<std::int64_t>& numbers) const;
  static IndexSet read_from(std::span<const std::int64_t> numbers, std::size_t& at);

  /// Calls f with each stretch of neighbours, ascending.
  template <typename F>
  void for_each_interval(F&& f) const;
  /// The same of the part in [begin, end), without making a set.
  template <typename F>
  void for_each_interval_within(Interval window, F&& f) const;
  std::vector<Interval> intervals() const;

  bool operator==(const IndexSet&) const = default;
  /// "{0-3, 7}"
  std::string to_string() const;

 private:
  friend class IndexSetBuilder;
  friend class AscendingRanks;
  friend IndexSet operator|(const IndexSet& a, const IndexSet& b);
  friend IndexSet operator&(const IndexSet& a, const IndexSet& b);
  friend IndexSet operator-(const IndexSet& a, const IndexSet& b);
  /// The bits of 64 numbers.
  struct Word {
    std::uint64_t bits;
    std::int64_t before;  // how many numbers are in those before
    bool operator==(const Word&) const = default;
  };

  /// However many blocks there are, and none, too.
  static IndexSet of_blocks(const BlockSet& blocks);
  /// Distinct ones, ascending.
  static IndexSet of_ascending(std::vector<std::int64_t> coordinates);
  /// The same set kept as it should be, of one that keeps its numbers in any way and knows its size.
  IndexSet in_its_form() &&;
  IndexSet as_words() const;
  IndexSet as_coordinates() const;
  /// The blocks that it is, or none.
  BlockSet find_blocks() const;
  /// Of two sets that keep coordinates: what `merge`, an algorithm on sorted ranges, makes of them.
  template <typename F>
  static IndexSet merged(const IndexSet& a, const IndexSet& b, const F& merge);
  static std::optional<IndexSet> common_blocks(const IndexSet& a, const IndexSet& b);
  /// Word k has the bits of 64 numbers from 64 * (first + k) on.
  static IndexSet of_words(std::int64_t first, std::span<const std::uint64_t> words);
  /// Of a set that keeps nothing yet.
  void keep_words(std::int64_t first, std::span<const std::uint64_t> words);
  /// The bits of 64 numbers from 64 * k on, of a set that keeps bits.
  std::uint64_t word(std::int64_t k) const {
    return k < first_word_ || k >= past_word() ? 0 : words_[static_cast<std::size_t>(k - first_word_)].bits;
  }
  /// The same of a set that keeps blocks.
  std::uint64_t word_of_blocks(std::int64_t k) const;
  std::int64_t past_word() const { return first_word_ + static_cast<std::int64_t>(words_.size()); }

  /// The index of the first interval or coordinate that does not end before i.
  std::size_t first_from(std::int64_t i) const;
  std::size_t kept() const { return intervals_.size() + coordinates_.size(); }
  Interval at(std::size_t k) const {
    return intervals_.empty() ? Interval{coordinates_[k], coordinates_[k] + 1} : intervals_[k];
  }
  template <typename F>
  void for_each_run_of_bits(Interval window, F&& f) const;

  BlockSet blocks_;                        // or none; or
  std::vector<Interval> intervals_;        // not touching each other; or
  std::vector<std::int64_t> coordinates_;  // distinct; or
  std::vector<Word> words_;                // neither the first nor the last one is empty
  std::vector<std::int64_t> before_;       // beside intervals: how many numbers are in those before
  std::int64_t first_word_ = 0;            // beside words: the first is of 64 numbers from 64 times this on
  std::int64_t size_ = 0;
};

IndexSet operator|(const IndexSet& a, const IndexSet& b);
IndexSet operator&(const IndexSet& a, const IndexSet& b);
/// What is in a and not in b.
IndexSet operator-(const IndexSet& a, const IndexSet& b);

/// The ranks that the numbers of a part of a set have in it.
IndexSet ranks_of(const IndexSet& part, const IndexSet& set);

/// Makes a set from intervals that come in order.
class IndexSetBuilder {
 public:
  /// `interval` begins no earlier than the last one did; it may overlap it, or be empty.
  void add(const Interval& interval);
  void add(std::int64_t i) { add({i, i + 1}); }
  IndexSet finish();

 private:
  friend class IndexSet;
  static constexpr std::size_t never = ~std::size_t{0};

  void fold();
  void unfold();

  std::vector<Interval> intervals_;
  // Of very many intervals that are close to each other, the bits of those before: they take less memory.
  std::vector<std::uint64_t> words_;
  std::int64_t first_word_ = 0;
  std::int64_t folded_ = 0;  // how many they were
  std::size_t next_fold_ = std::size_t{1} << 16U;
};

/// The ranks of numbers that are asked for in ascending order, in time that is proportional to what is kept of the set.
/// The set must outlive it.
class AscendingRanks {
 public:
  explicit AscendingRanks(const IndexSet& set) : set_(set) {}
  /// How many numbers of the set are less than i.
  std::int64_t operator()(std::int64_t i) {
    if (set_.keeps_bits() || set_.keeps_blocks()) return set_.rank(i);
    while (k_ < set_.kept() && set_.at(k_).end <= i) rank_ += set_.at(k_++).size();
    return k_ < set_.kept() && set_.at(k_).begin < i ? rank_ + (i - set_.at(k_).begin) : rank_;
  }

 private:
  const IndexSet& set_;
  std::size_t k_ = 0;      // the first interval that does not end before what was asked for
  std::int64_t rank_ = 0;  // of its first number
};

template <typename F>
void IndexSet::for_each_interval(F&& f) const {
  for_each_interval_within(bounds(), std::forward<F>(f));
}

template <typename F>
void IndexSet::for_each_interval_within(Interval window, F&& f) const {
  if (window.empty()) return;
  if (keeps_bits()) return for_each_run_of_bits(window, std::forward<F>(f));
  if (keeps_blocks()) return blocks_.for_each_within(window, std::forward<F>(f));
  for (std::size_t k = first_from(window.begin); k < kept() && at(k).begin < window.end;) {
    Interval run = at(k);
    // Coordinates may touch each other.
    for (++k; k < kept() && at(k).begin == run.end; ++k) run.end = at(k).end;
    f(common(run, window));
  }
}

template <typename F>
void IndexSet::for_each_run_of_bits(Interval window, F&& f) const {
  const std::int64_t first = std::max(first_word_, floor_of_64(window.begin));
  const std::int64_t past = std::min(past_word(), floor_of_64(window.end - 1) + 1);
  Interval run;  // one may go on in the next word
  for (std::int64_t k = first; k < past; ++k) {
    for (std::uint64_t bits = word(k); bits != 0;) {
      const int begin = std::countr_zero(bits);
      const std::uint64_t carried = bits + (std::uint64_t{1} << begin);  // through all of the run, to the bit behind it
      const int end = carried == 0 ? 64 : std::countr_zero(carried);
      bits &= carried;
      if (!run.empty() && run.end == 64 * k + begin) {
        run.end = 64 * k + end;
        continue;
      }
      if (const Interval inside = common(run, window); !inside.empty()) f(inside);
      run = {64 * k + begin, 64 * k + end};
    }
  }
  if (const Interval inside = common(run, window); !inside.empty()) f(inside);
}

}  // namespace lacuna
