#include "lacuna/dynamic/update/middle_first.h"

#include <numeric>
#include <vector>

#include "lacuna/tensor/integers.h"

namespace lacuna {
namespace {

/// Puts down the numbers of the updates, level by level.
class Arranger {
 public:
  Arranger(std::span<const Array> columns, const Format& format, std::span<std::uint64_t> to)
      : columns_(columns.begin(), columns.end()), format_(format), to_(to) {}

  /// The updates [begin, end), which agree in the coordinates of the levels above.
  void arrange(int level, std::int64_t begin, std::int64_t end) {
    if (level == format_.order() || end - begin < 2) return put(begin, end);
    const std::vector<std::int64_t> starts = runs(level, begin, end);
    const auto runs = static_cast<std::int64_t>(starts.size()) - 1;
    if (format_.level(level).is_dynamic()) return arrange_runs(level, starts, 0, runs);
    for (std::int64_t r = 0; r < runs; ++r) arrange_run(level, starts, r);
  }

 private:
  /// Where the updates of each coordinate of the level begin, and the end.
  std::vector<std::int64_t> runs(int level, std::int64_t begin, std::int64_t end) const {
    const IntegerReader& column = columns_[static_cast<std::size_t>(level)];
    std::vector<std::int64_t> starts{begin};
    for (std::int64_t n = begin + 1; n < end; ++n)
      if (column[n] != column[n - 1]) starts.push_back(n);
    starts.push_back(end);
    return starts;
  }

  void arrange_run(int level, const std::vector<std::int64_t>& starts, std::int64_t run) {
    const auto at = static_cast<std::size_t>(run);
    arrange(level + 1, starts[at], starts[at + 1]);
  }

  /// As deep as the logarithm of how many there are.
  void arrange_runs(int level, const std::vector<std::int64_t>& starts, std::int64_t begin, std::int64_t end) {
    if (begin == end) return;
    const std::int64_t middle = begin + (end - begin) / 2;
    arrange_run(level, starts, middle);
    arrange_runs(level, starts, begin, middle);
    arrange_runs(level, starts, middle + 1, end);
  }

  void put(std::int64_t begin, std::int64_t end) {
    for (std::int64_t n = begin; n < end; ++n) to_[next_++] = static_cast<std::uint64_t>(n);
  }

  std::vector<IntegerReader> columns_;
  const Format& format_;
  std::span<std::uint64_t> to_;
  std::size_t next_ = 0;
};

}  // namespace

Array middle_first(std::span<const Array> columns, const Format& format) {
  const std::int64_t updates = columns.empty() ? 0 : columns.front().size();
  Array order = Array::allocate(Type::UInt64, updates, false);
  Arranger(columns, format, order.mutable_view<std::uint64_t>()).arrange(0, 0, updates);
  return order;
}

}  // namespace lacuna
