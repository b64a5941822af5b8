#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <new>
#include <numeric>
#include <span>
#include <vector>

#include "lacuna/tensor/deal.h"

namespace lacuna {

/// Blocks of neighbouring rows with about as many entries each, found from counts of smaller groups of rows.
class RowBlocks {
 public:
  /// For `rows` rows; `chunks` count their entries by themselves.
  RowBlocks(std::int64_t rows, int chunks)
      : rows_(rows),
        shift_(std::max(0, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(rows))) - group_bits)),
        counts_(static_cast<std::size_t>(chunks), std::vector<std::int64_t>(groups())) {}

  template <typename Coordinate>
  void count(int chunk, std::span<const Coordinate> rows) {
    auto& counts = counts_[static_cast<std::size_t>(chunk)];
    for (const Coordinate row : rows) ++counts[static_cast<std::size_t>(row) >> shift_];
  }

  /// Makes the blocks of what was counted, of `entries` entries or more where one group has more.
  void divide(std::int64_t entries) {
    block_of_.resize(groups());
    std::int64_t in_block = 0;
    std::int64_t total = 0;
    for (std::size_t g = 0; g < groups(); ++g) {
      std::int64_t in_group = 0;
      for (const auto& counts : counts_) in_group += counts[g];
      if (g == 0 || in_block + in_group > entries) {
        first_rows_.push_back(static_cast<std::int64_t>(g << shift_));
        first_entries_.push_back(total);
        in_block = 0;
      }
      block_of_[g] = static_cast<std::uint32_t>(first_rows_.size() - 1);
      in_block += in_group;
      total += in_group;
    }
    first_rows_.push_back(rows_);
    first_entries_.push_back(total);
  }

  std::size_t size() const { return first_rows_.size() - 1; }
  std::int64_t first_row(std::size_t block) const { return first_rows_[block]; }
  std::int64_t first_entry(std::size_t block) const { return first_entries_[block]; }
  /// The block of a row is element row >> shift().
  const std::uint32_t* block_of() const { return block_of_.data(); }
  int shift() const { return shift_; }
  /// Where the entries of a chunk go in each block: behind those of the chunks before.
  std::vector<std::int64_t> places(int chunk) const {
    std::vector<std::int64_t> places(first_entries_.begin(), first_entries_.end() - 1);
    for (int before = 0; before < chunk; ++before) {
      for (std::size_t g = 0; g < groups(); ++g) {
        places[block_of_[g]] += counts_[static_cast<std::size_t>(before)][g];
      }
    }
    return places;
  }

 private:
  static constexpr int group_bits = 12;
  std::size_t groups() const { return static_cast<std::size_t>(rows_ >> shift_) + 1; }

  std::int64_t rows_;
  int shift_;
  std::vector<std::vector<std::int64_t>> counts_;  // by chunk, then group
  std::vector<std::uint32_t> block_of_;            // by group
  std::vector<std::int64_t> first_rows_;           // by block, and the end
  std::vector<std::int64_t> first_entries_;
};

/// Deals in two steps, so that memory is written in few streams and the rest happens in the cache: first to blocks of
/// rows, then each block to its rows. Needs memory for the rows' coordinates and for a block besides the result's.
template <typename Coordinate, typename Columns, typename Pos, typename Value>
class BlockDealer {
 public:
  BlockDealer(const Deck<Coordinate, Columns, Value>& deck, const DealtRows<Coordinate, Pos, Value>& to, int chunks)
      : deck_(deck), to_(to), chunks_(chunks), blocks_(to.count(), chunks) {}

  bool deal() {
    run_chunks(chunks_, deck_.size(), [&](int chunk, std::int64_t begin, std::int64_t end) {
      blocks_.count(chunk, deck_.rows.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
    });
    blocks_.divide(std::max(least_block, deck_.size() / most_blocks));
    rows_memory_ = Array::allocate(type_of<Coordinate>(), deck_.size(), false);
    rows_ = rows_memory_.template mutable_view<Coordinate>();
    deal_to_blocks();
    to_.pos[0] = 0;
    return settle_blocks();
  }

 private:
  /// So large that a block stays in the cache, and so few of them that the streams do.
  static constexpr std::int64_t least_block = 1 << 16;
  static constexpr std::int64_t most_blocks = 160;

  struct Scratch {
    Array columns;
    Array values;
    RowSorter<Coordinate, Value> sorter;
  };

  void deal_to_blocks() {
    std::vector<std::vector<std::int64_t>> places_by_chunk;
    for (int chunk = 0; chunk < chunks_; ++chunk) places_by_chunk.push_back(blocks_.places(chunk));
    run_chunks(chunks_, deck_.size(), [&](int chunk, std::int64_t begin, std::int64_t end) {
      // Copies, which the compiler knows that no element written changes.
      const auto deck = deck_;
      const auto to = to_;
      std::int64_t* const places = places_by_chunk[static_cast<std::size_t>(chunk)].data();
      const std::uint32_t* const block_of = blocks_.block_of();
      const int shift = blocks_.shift();
      Coordinate* const rows = rows_.data();
      deck.columns.each(begin, end, [&](std::int64_t e, Coordinate column) {
        const Coordinate row = deck.rows[static_cast<std::size_t>(e)];
        const auto p = static_cast<std::size_t>(places[block_of[row >> shift]]++);
        rows[p] = row;
        to.columns[p] = column;
        to.values[p] = deck.values[e];
      });
    });
  }

  bool settle_blocks() {
    std::int64_t largest = 0;
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      largest = std::max(largest, blocks_.first_entry(b + 1) - blocks_.first_entry(b));
    }
    std::vector<Scratch> scratch(static_cast<std::size_t>(chunks_));
    for (Scratch& each : scratch) {
      each.columns = Array::allocate(type_of<Coordinate>(), largest, false);
      each.values = Array::allocate(Type::UInt8, largest * static_cast<std::int64_t>(sizeof(Value)), false);
    }
    std::atomic<std::size_t> next = 0;
    std::atomic<bool> repeats = false;
    std::atomic<bool> failed = false;
    run_chunks(chunks_, chunks_, [&](int chunk, std::int64_t, std::int64_t) {
      try {
        for (std::size_t b = next++; b < blocks_.size(); b = next++) {
          if (settle(b, scratch[static_cast<std::size_t>(chunk)])) repeats = true;
        }
      } catch (const std::bad_alloc&) {
        failed = true;
      }
    });
    if (failed) throw RuntimeFailure("out of memory: a row could not be sorted");
    return repeats;
  }

  /// Deals a block to its rows. True where some coordinate repeats.
  bool settle(std::size_t block, Scratch& scratch) {
    const std::int64_t first_row = blocks_.first_row(block);
    const std::int64_t row_count = blocks_.first_row(block + 1) - first_row;
    const std::int64_t begin = blocks_.first_entry(block);
    const std::int64_t count = blocks_.first_entry(block + 1) - begin;
    Pos* const places = to_.pos.data() + first_row + 1;
    const Coordinate* const rows = rows_.data() + begin;
    std::fill_n(places, row_count, Pos{0});
    for (std::int64_t e = 0; e < count; ++e) ++places[rows[e] - first_row];
    auto place = static_cast<Pos>(begin);
    for (std::int64_t r = 0; r < row_count; ++r) place += std::exchange(places[r], place);
    auto* const columns = static_cast<Coordinate*>(scratch.columns.mutable_data());
    auto* const values = static_cast<Value*>(scratch.values.mutable_data());
    const auto to = to_;
    std::copy_n(to.columns.data() + begin, count, columns);
    std::copy_n(to.values + begin, count, values);
    for (std::int64_t e = 0; e < count; ++e) {
      const Pos p = places[rows[e] - first_row]++;
      to.columns[static_cast<std::size_t>(p)] = columns[e];
      to.values[p] = values[e];
    }
    return deck_.settled ? false : to_.sort(first_row, first_row + row_count, begin, scratch.sorter);
  }

  const Deck<Coordinate, Columns, Value>& deck_;
  const DealtRows<Coordinate, Pos, Value>& to_;
  int chunks_;
  RowBlocks blocks_;
  Array rows_memory_;
  std::span<Coordinate> rows_;
};

}  // namespace lacuna
