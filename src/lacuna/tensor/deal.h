#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "lacuna/tensor/chunks.h"
#include "lacuna/tensor/integers.h"
#include "lacuna/tensor/sort_row.h"

namespace lacuna {

/// The columns of entries that each have one.
template <typename Coordinate>
struct ListedColumns {
  std::span<const Coordinate> columns;

  /// Calls f(entry, column) for the entries of [begin, end).
  template <typename F>
  void each(std::int64_t begin, std::int64_t end, F&& f) const {
    for (std::int64_t e = begin; e < end; ++e) f(e, columns[static_cast<std::size_t>(e)]);
  }
};

/// The columns of entries whose neighbours share one: run n has the entries [starts[n], starts[n+1]) and column n plus
/// `origin`, or the one that is listed.
template <typename Coordinate, typename Start>
struct RunColumns {
  std::span<const Start> starts;
  const Coordinate* columns;  // null where not listed
  Coordinate origin;

  template <typename F>
  void each(std::int64_t begin, std::int64_t end, F&& f) const {
    const Start first = starts[0];
    auto n = static_cast<std::size_t>(std::upper_bound(starts.begin(), starts.end(), first + begin) - starts.begin());
    for (std::int64_t e = begin; e < end; ++n) {
      const Coordinate column = columns != nullptr ? columns[n - 1] : static_cast<Coordinate>(origin + n - 1);
      for (const std::int64_t last = std::min<std::int64_t>(end, starts[n] - first); e < last; ++e) f(e, column);
    }
  }
};

/// What is dealt: entry e has rows[e], a column and values[e]. In `settled` entries those of a row come in ascending
/// order of their columns, none twice.
template <typename Coordinate, typename Columns, typename Value>
struct Deck {
  std::span<const Coordinate> rows;
  Columns columns;
  const Value* values;
  bool settled;
  std::int64_t size() const { return static_cast<std::int64_t>(rows.size()); }
};

/// A matrix by rows: row r has the entries [pos[r], pos[r+1]) of the others.
template <typename Coordinate, typename Pos, typename Value>
struct DealtRows {
  std::span<Pos> pos;
  std::span<Coordinate> columns;
  Value* values;
  std::int64_t count() const { return static_cast<std::int64_t>(pos.size()) - 1; }

  /// Sorts rows [begin, end), the first of which starts at `first`. True where some column repeats.
  bool sort(std::int64_t begin, std::int64_t end, std::int64_t first, RowSorter<Coordinate, Value>& sorter) const {
    bool repeats = false;
    for (std::int64_t r = begin; r < end; ++r) {
      const std::int64_t last = pos[static_cast<std::size_t>(r) + 1];
      const auto row = columns.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first));
      if (row.size() > 1 && sorter.sort(row, values + first)) repeats = true;
      first = last;
    }
    return repeats;
  }
};

/// Sorts the rows in chunks of about as many entries. True where some column repeats. Throws RuntimeFailure when there
/// is no memory for it.
template <typename Coordinate, typename Pos, typename Value>
bool sort_rows(const DealtRows<Coordinate, Pos, Value>& to, int chunks) {
  std::atomic<bool> repeats = false;
  std::atomic<bool> failed = false;
  const auto entries = static_cast<std::int64_t>(to.columns.size());
  const auto row_at = [&](std::int64_t entry) {
    if (entry == entries) return to.count();
    return std::lower_bound(to.pos.begin(), to.pos.end() - 1, entry) - to.pos.begin();
  };
  run_chunks(chunks, entries, [&](int chunk, std::int64_t begin, std::int64_t end) {
    try {
      RowSorter<Coordinate, Value> sorter;
      const std::int64_t row = chunk == 0 ? 0 : row_at(begin);
      if (to.sort(row, row_at(end), to.pos[static_cast<std::size_t>(row)], sorter)) repeats = true;
    } catch (const std::bad_alloc&) {
      failed = true;
    }
  });
  if (failed) throw RuntimeFailure("out of memory: a row could not be sorted");
  return repeats;
}

/// A counting sort: each chunk of entries counts its rows, learns from the counts of all where its entries of a row
/// start, and moves them there. True where some coordinate repeats.
template <typename Coordinate, typename Columns, typename Pos, typename Value>
class DirectDealer {
 public:
  DirectDealer(const Deck<Coordinate, Columns, Value>& deck, const DealtRows<Coordinate, Pos, Value>& to, int chunks)
      : deck_(deck), to_(to), chunks_(chunks) {}

  bool deal() {
    for (int chunk = 0; chunk + 1 < chunks_; ++chunk) {
      counts_.push_back(Array::allocate(type_of<Pos>(), to_.count(), false));
      places_.push_back(counts_.back().template mutable_view<Pos>());
    }
    // The last chunk's entries of a row end where the row does: its places become pos.
    places_.push_back(to_.pos.subspan(1));
    to_.pos[0] = 0;
    run_chunks(chunks_, deck_.size(), [this](int chunk, std::int64_t begin, std::int64_t end) {
      const auto places = places_[static_cast<std::size_t>(chunk)];
      std::fill(places.begin(), places.end(), Pos{0});
      for (std::int64_t e = begin; e < end; ++e) ++places[static_cast<std::size_t>(deck_.rows[e])];
    });
    start_places();
    run_chunks(chunks_, deck_.size(), [this](int chunk, std::int64_t begin, std::int64_t end) {
      // Copies, which the compiler knows that no element written changes.
      const auto deck = deck_;
      const auto to = to_;
      Pos* const places = places_[static_cast<std::size_t>(chunk)].data();
      deck.columns.each(begin, end, [&](std::int64_t e, Coordinate column) {
        const Pos p = places[deck.rows[static_cast<std::size_t>(e)]]++;
        to.columns[static_cast<std::size_t>(p)] = column;
        to.values[p] = deck.values[e];
      });
    });
    return deck_.settled ? false : sort_rows(to_, chunks_);
  }

 private:
  /// Turns counts into first places.
  void start_places() {
    const int chunks = worthwhile_threads(chunks_, to_.count());
    std::vector<Pos> firsts(static_cast<std::size_t>(chunks) + 1);
    if (chunks > 1) {
      run_chunks(chunks, to_.count(), [&](int chunk, std::int64_t begin, std::int64_t end) {
        Pos sum = 0;
        for (const auto& counts : places_) {
          for (std::int64_t r = begin; r < end; ++r) sum += counts[r];
        }
        firsts[static_cast<std::size_t>(chunk) + 1] = sum;
      });
      for (std::size_t k = 1; k < firsts.size(); ++k) firsts[k] += firsts[k - 1];
    }
    run_chunks(chunks, to_.count(), [&](int chunk, std::int64_t begin, std::int64_t end) {
      Pos place = firsts[static_cast<std::size_t>(chunk)];
      if (places_.size() == 1) {
        const auto counts = places_[0];
        for (std::int64_t r = begin; r < end; ++r) place += std::exchange(counts[r], place);
        return;
      }
      for (std::int64_t r = begin; r < end; ++r) {
        for (const auto& counts : places_) place += std::exchange(counts[r], place);
      }
    });
  }

  const Deck<Coordinate, Columns, Value>& deck_;
  const DealtRows<Coordinate, Pos, Value>& to_;
  int chunks_;
  std::vector<Array> counts_;
  std::vector<std::span<Pos>> places_;
};

}  // namespace lacuna
