#include "lacuna/distribute/parts/position_counter.h"

#include "lacuna/distribute/sets/coordinate_order.h"
#include "lacuna/distribute/sets/level_sets.h"

namespace lacuna {

void CountedPiece::limit(Restriction& part, int level, std::size_t mode) const {
  if (positions) {
    auto& limit = part.positions[static_cast<std::size_t>(level)];
    limit = limit ? *limit & *positions : *positions;
  }
  if (stretch) part.stretches.push_back(*stretch);
  part.coordinates[mode] = part.coordinates[mode].within(outermost);
}

std::int64_t WholeCounter::count(const Restriction& part, int level) {
  counted_ = live_positions(tensor_, part)[static_cast<std::size_t>(level)];
  level_ = level;
  in_order_.clear();
  if (!is_in_coordinate_order(tensor_.format, level)) in_order_ = by_coordinates(tensor_, level, counted_);
  return counted_.size();
}

IndexSet WholeCounter::numbered(const Interval& numbers) const {
  if (in_order_.empty()) return counted_.slice(numbers);
  return IndexSet::of_coordinates({in_order_.begin() + numbers.begin, in_order_.begin() + numbers.end});
}

std::vector<CountedPiece> WholeCounter::pieces(const std::vector<Interval>& ranks) {
  std::vector<CountedPiece> pieces;
  for (const Interval& each : ranks) {
    CountedPiece piece{numbered(each), {}, {}};
    IndexSet outermost = *piece.positions;
    for (int k = level_; k > 0; --k) outermost = parents_of(tensor_, k, outermost);
    piece.outermost = outermost_coordinates(tensor_, outermost);
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

std::int64_t BlockCounter::count(const Restriction& part, int) {
  counted_ = part.coordinates[static_cast<std::size_t>(mode_)];
  return counted_.size();
}

std::vector<CountedPiece> BlockCounter::pieces(const std::vector<Interval>& ranks) {
  std::vector<CountedPiece> pieces;
  for (const Interval& each : ranks) pieces.push_back({{}, {}, counted_.slice(each).bounds()});
  return pieces;
}

}  // namespace lacuna
