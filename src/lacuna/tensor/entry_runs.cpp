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

/// The runs before a chunk of entries: as they were, and cut.
struct RunsBefore {
  std::int64_t former = 0;
  std::int64_t finer = 0;
};

class Cutter {
 public:
  Cutter(const EntryRuns& above, std::span<const Array> columns, int threads)
      : columns_(columns),
        size_(columns.front().size()),
        former_(above.steps.view<std::uint64_t>()),
        chunks_(worthwhile_threads(threads, size_)),
        before_(static_cast<std::size_t>(chunks_) + 1),
        memory_(Array::allocate(Type::UInt64, above.steps.size(), false)) {}

  /// Finds where the finer runs start, and counts them; to be called first.
  std::int64_t find() {
    auto steps = memory_.mutable_view<std::uint64_t>();
    run_chunks(chunks_, memory_.size(), [&](int chunk, std::int64_t first, std::int64_t last) {
      RunsBefore found;
      for (std::int64_t w = first; w < last;) {
        Flags flags(std::min({Flags::capacity, 64 * (last - w), size_ - 64 * w}));
        flag_steps(columns_, 64 * w, flags);
        for (std::int64_t i = 0; i < flags.size(); i += 64, ++w) {
          steps[w] = former_[w] | flags.word(i);
          found.former += std::popcount(former_[w]);
          found.finer += std::popcount(steps[w]);
        }
      }
      before_[static_cast<std::size_t>(chunk) + 1] = found;
    });
    for (std::size_t k = 1; k < before_.size(); ++k) {
      before_[k].former += before_[k - 1].former;
      before_[k].finer += before_[k - 1].finer;
    }
    return before_.back().finer;
  }

  const Array& steps() const { return memory_; }

  /// Lists the finer runs.
  template <typename Start, typename Coordinate, typename Bound>
  void list(std::span<Start> starts, std::span<Coordinate> coordinates, std::span<Bound> bounds) const {
    const auto column = columns_.front().view<Coordinate>();
    const auto all_steps = memory_.view<std::uint64_t>();
    run_chunks(chunks_, memory_.size(), [&](int chunk, std::int64_t first_word, std::int64_t last_word) {
      std::int64_t former = before_[static_cast<std::size_t>(chunk)].former;
      std::int64_t finer = before_[static_cast<std::size_t>(chunk)].finer;
      const std::int64_t last = before_[static_cast<std::size_t>(chunk) + 1].finer;
      for (std::int64_t w = first_word; w < last_word; ++w) {
        const std::uint64_t steps = all_steps[w];
        each_bit(former_[w], [&](std::int64_t bit) {
          const std::int64_t earlier = std::popcount(steps & ((std::uint64_t{1} << bit) - 1));
          bounds[former++] = static_cast<Bound>(finer + earlier);
        });
        const std::int64_t entry = 64 * w;
        if (std::popcount(steps) > 32 && finer + 64 <= last) {
          // What is stored for an entry that starts no run is overwritten by the next one.
          for (std::int64_t i = 0; i < 64; ++i) {
            starts[finer] = static_cast<Start>(entry + i);
            coordinates[finer] = column[entry + i];
            finer += static_cast<std::int64_t>(steps >> i & 1);
          }
          continue;
        }
        each_bit(steps, [&](std::int64_t bit) {
          starts[finer] = static_cast<Start>(entry + bit);
          coordinates[finer++] = column[entry + bit];
        });
      }
    });
  }

 private:
  std::span<const Array> columns_;  // those that are added
  std::int64_t size_;
  std::span<const std::uint64_t> former_;
  int chunks_;
  std::vector<RunsBefore> before_;  // by chunk, and the end
  Array memory_;
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
  Array steps = Array::allocate(Type::UInt64, (entries + 63) / 64, true);
  if (entries > 0) steps.mutable_view<std::uint64_t>()[0] = 1;
  return {0, 1, false, std::move(starts), std::move(steps)};
}

FinerRuns refine(const Entries& entries, const EntryRuns& above, int last, int threads) {
  const std::int64_t size = entries.size();
  const auto columns = std::span(entries.columns).subspan(static_cast<std::size_t>(above.columns));
  FinerRuns result;
  result.runs.columns = last + 1;
  // Entries differ somewhere, so all columns tell them apart.
  if (above.single || size == 0 || last + 1 == static_cast<int>(entries.columns.size())) {
    result.runs.count = size;
    result.runs.single = true;
    result.coordinates = columns.front();
    result.bounds = above.single ? counting(size) : above.starts;
    return result;
  }
  Cutter cutter(above, columns.first(static_cast<std::size_t>(last + 1 - above.columns)), threads);
  result.runs.count = cutter.find();
  if (result.runs.count == size) {
    result.runs.single = true;
    result.coordinates = columns.front();
    result.bounds = above.starts;
    return result;
  }
  result.runs.steps = cutter.steps();
  result.runs.starts = Array::allocate(position_type(size), result.runs.count + 1, false);
  result.coordinates = Array::allocate(columns.front().type(), result.runs.count, false);
  result.bounds = Array::allocate(position_type(result.runs.count), above.count + 1, false);
  with_mutable_coordinates(result.runs.starts, [&](auto starts) {
    with_mutable_coordinates(result.coordinates, [&](auto coordinates) {
      with_mutable_coordinates(result.bounds, [&](auto bounds) {
        cutter.list(starts, coordinates, bounds);
        bounds.back() = static_cast<typename decltype(bounds)::value_type>(result.runs.count);
      });
    });
    starts.back() = static_cast<typename decltype(starts)::value_type>(size);
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
