#include "lacuna/distribute/tensors/mirrors.h"

#include <algorithm>
#include <tuple>

#include "lacuna/distribute/comm/numbers.h"
#include "lacuna/tensor/integers.h"

namespace lacuna {

void Triangles::note(const CoordinateList& entries) {
  const IntegerReader rows(entries.coordinates[0]), columns(entries.coordinates[1]);
  for (std::int64_t e = 0; e < entries.size(); ++e) {
    above_ = above_ || rows[e] < columns[e];
    below_ = below_ || rows[e] > columns[e];
  }
}

bool Triangles::are_both_used(Communicator& ranks) const {
  const std::vector<std::int64_t> sums = sums_over(ranks, {above_ ? 1 : 0, below_ ? 1 : 0});
  return sums[0] > 0 && sums[1] > 0;
}

std::optional<std::int64_t> first_given_mirror(EntryReader& reader, std::int64_t rounds, Communicator& ranks) {
  using Given = std::tuple<std::int64_t, std::int64_t, bool, std::int64_t>;  // row, column below, which, number
  std::vector<Given> here;
  for (std::int64_t round = 0; round < rounds; ++round) {
    std::int64_t number = reader.number();
    std::vector<std::vector<std::int64_t>> to_each(static_cast<std::size_t>(ranks.ranks()));
    if (const std::optional<CoordinateList> entries = reader.next()) {
      const IntegerReader rows(entries->coordinates[0]), columns(entries->coordinates[1]);
      for (std::int64_t e = 0; e < entries->size(); ++e, ++number) {
        if (rows[e] == columns[e]) continue;
        const std::int64_t row = std::max(rows[e], columns[e]), column = std::min(rows[e], columns[e]);
        std::vector<std::int64_t>& to = to_each[static_cast<std::size_t>(row) % to_each.size()];
        to.insert(to.end(), {row, column, rows[e] < columns[e] ? 1 : 0, number});
      }
    }
    for (const std::vector<std::int64_t>& from : all_to_all(ranks, to_each))
      for (std::size_t k = 0; k + 3 < from.size(); k += 4)
        here.emplace_back(from[k], from[k + 1], from[k + 2] == 1, from[k + 3]);
  }
  // Those below come first; the one above with the least number follows them.
  std::sort(here.begin(), here.end());
  std::optional<std::int64_t> first;
  for (std::size_t k = 1; k < here.size(); ++k) {
    const auto& [row, column, above, at] = here[k];
    const auto& [last_row, last_column, last_above, last_at] = here[k - 1];
    if (above && !last_above && row == last_row && column == last_column) first = std::min(first.value_or(at), at);
  }
  return least_over(ranks, first);
}

}  // namespace lacuna
