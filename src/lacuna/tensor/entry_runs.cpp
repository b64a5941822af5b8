#include "lacuna/tensor/entry_runs.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include "lacuna/tensor/chunks.h"
#include "lacuna/tensor/flags.h"
#include "lacuna/tensor/integers.h"

namespace lacuna {

namespace {

/// Flags the entries begin + i that differ from the one before in one of the columns; entry 0 always does.
void flag_steps(std::span<const Array> columns, std::int64_t begin, Flags& flags) {
  std::uint8_t* const flag = flags.data();
  const std::int64_t size = flags.size();
  for (const Array& array : columns) {
    with_coordinates(array, [&](auto column) {
      const auto* c = column.data() + begin;
      for (std::int64_t i = begin == 0 ? 1 : 0; i < size; ++i) flag[i] |= c[i] != c[i - 1] ? 1 : 0;
    });
  }
  if (begin == 0) flag[0] = 1;
}

/// The runs that start in a chunk of entries: at which number they begin and end, before and after being cut.
struct ChunkRuns {
  std::int64_t above = 0;
  std::int64_t finer = 0;
};

class Cutter {
 public:
  Cutter(const Entries& entries, const EntryRuns& above, int last, int threads)
      : former_(entries.columns.data(), static_cast<std::size_t>(above.columns)),
        added_(entries.columns.data() + above.columns, static_cast<std::size_t>(last + 1 - above.columns)),
        size_(entries.size()),
        chunks_(worthwhile_threads(threads, size_)),
        firsts_(static_cast<std::size_t>(chunks_) + 1) {}

  /// Counts the finer runs; to be called first.
  std::int64_t count() {
    run_chunks(chunks_, size_, [&](int chunk, std::int64_t begin, std::int64_t end) {
      ChunkRuns found;
      each_block(begin, end, [&](std::int64_t, const Flags& above, const Flags& finer) {
        found.above += above.count();
        found.finer += finer.count();
      });
      firsts_[static_cast<std::size_t>(chunk) + 1] = found;
    });
    for (std::size_t k = 1; k < firsts_.size(); ++k) {
      firsts_[k].above += firsts_[k - 1].above;
      firsts_[k].finer += firsts_[k - 1].finer;
    }
    return firsts_.back().finer;
  }

  /// Lists the finer runs.
  template <typename Start, typename Coordinate, typename Bound>
  void list(std::span<Start> starts, std::span<Coordinate> coordinates, std::span<Bound> bounds) const {
    const auto column = added_.front().view<Coordinate>();
    run_chunks(chunks_, size_, [&](int chunk, std::int64_t chunk_begin, std::int64_t chunk_end) {
      ChunkRuns at = firsts_[static_cast<std::size_t>(chunk)];
      const std::int64_t last = firsts_[static_cast<std::size_t>(chunk) + 1].finer;
      each_block(chunk_begin, chunk_end, [&](std::int64_t begin, const Flags& above, const Flags& finer) {
        for (std::int64_t first = 0; first < finer.size(); first += 64) {
          const std::uint64_t steps = finer.word(first);
          each_bit(above.word(first), [&](std::int64_t bit) {
            const std::int64_t before = std::popcount(steps & ((std::uint64_t{1} << bit) - 1));
            bounds[at.above++] = static_cast<Bound>(at.finer + before);
          });
          const std::int64_t entry = begin + first;
          if (std::popcount(steps) > 32 && at.finer + 64 <= last) {
            // What is stored for an entry without a run is overwritten by the next one.
            for (std::int64_t i = 0; i < 64; ++i) {
              starts[at.finer] = static_cast<Start>(entry + i);
              coordinates[at.finer] = column[entry + i];
              at.finer += static_cast<std::int64_t>(steps >> i & 1);
            }
            continue;
          }
          each_bit(steps, [&](std::int64_t bit) {
            starts[at.finer] = static_cast<Start>(entry + bit);
            coordinates[at.finer++] = column[entry + bit];
          });
        }
      });
    });
  }

 private:
  template <typename F>
  void each_block(std::int64_t chunk_begin, std::int64_t chunk_end, const F& f) const {
    for (std::int64_t begin = chunk_begin; begin < chunk_end; begin += Flags::capacity) {
      Flags above(std::min(Flags::capacity, chunk_end - begin));
      flag_steps(former_, begin, above);
      Flags finer = above;
      flag_steps(added_, begin, finer);
      f(begin, above, finer);
    }
  }

  std::span<const Array> former_;
  std::span<const Array> added_;
  std::int64_t size_;
  int chunks_;
  std::vector<ChunkRuns> firsts_;
};

/// 0, 1, …, count.
Array counting(std::int64_t count) {
  Array numbers = Array::allocate(position_type(count), count + 1, false);
  with_mutable_coordinates(numbers, [](auto to) { std::iota(to.begin(), to.end(), 0); });
  return numbers;
}

}  // namespace

EntryRuns EntryRuns::whole(std::int64_t entries) {
  Array starts = Array::allocate(position_type(entries), 2, false);
  with_mutable_coordinates(starts, [&](auto to) {
    to[0] = 0;
    to[1] = static_cast<typename decltype(to)::value_type>(entries);
  });
  return {0, 1, false, std::move(starts)};
}

FinerRuns refine(const Entries& entries, const EntryRuns& above, int last, int threads) {
  const std::int64_t size = entries.size();
  const Array& column = entries.columns[static_cast<std::size_t>(above.columns)];
  FinerRuns result;
  result.runs.columns = last + 1;
  // Entries differ somewhere, so all columns tell them apart.
  bool single = above.single || last + 1 == static_cast<int>(entries.columns.size());
  Cutter cutter(entries, above, last, threads);
  result.runs.count = single || size == 0 ? size : cutter.count();
  if (result.runs.count == size) {
    result.runs.single = true;
    result.coordinates = column;
    result.bounds = above.single ? counting(size) : above.starts;
    return result;
  }
  result.runs.starts = Array::allocate(position_type(size), result.runs.count + 1, false);
  result.coordinates = Array::allocate(column.type(), result.runs.count, false);
  result.bounds = Array::allocate(position_type(result.runs.count), above.count + 1, false);
  with_mutable_coordinates(result.runs.starts, [&](auto starts) {
    with_mutable_coordinates(result.coordinates, [&](auto coordinates) {
      with_mutable_coordinates(result.bounds, [&](auto bounds) {
        cutter.list(starts, coordinates, bounds);
        bounds.back() = static_cast<typename decltype(bounds)::value_type>(result.runs.count);
      });
      starts.back() = static_cast<typename decltype(starts)::value_type>(size);
    });
  });
  return result;
}

Array first_of_runs(const Array& column, const EntryRuns& runs) {
  if (runs.single) return column;
  Array result = Array::allocate(column.type(), runs.count, false);
  const IntegerReader starts(runs.starts);
  with_coordinates(column, [&](auto from) {
    auto to = result.mutable_view<std::remove_const_t<typename decltype(from)::element_type>>();
    for (std::int64_t n = 0; n < runs.count; ++n) to[n] = from[starts[n]];
  });
  return result;
}

}  // namespace lacuna
