#include "lacuna/distribute/parts/restrict.h"

#include <algorithm>

#include "lacuna/distribute/parts/filter_entries.h"
#include "lacuna/distribute/parts/new_numbers.h"
#include "lacuna/distribute/sets/runs.h"
#include "lacuna/tensor/integers.h"

namespace lacuna {
namespace {

class Restrictor {
 public:
  Restrictor(const LocalPart& part, const std::vector<IndexSet>& region) : from_(part.storage), region_(region) {
    for (int k = 0; k < from_.order(); ++k) {
      const auto mode = static_cast<std::size_t>(from_.format.map().mode_of(k));
      numbers_.emplace_back(part.sets[mode], region[mode]);
      if (!is_compressed(k)) continue;
      if (first_compressed_ < 0) first_compressed_ = k;
      last_compressed_ = k;
    }
    find_alive();
  }

  LocalPart run() {
    LocalPart out{region_, {}};
    Storage& to = out.storage;
    to.format = from_.format;
    to.type = from_.type;
    to.fill = from_.fill;
    for (const IndexSet& set : region_) to.dimensions.push_back(set.size());
    above_.add(0, 1);
    const int last = from_.order() - 1;
    for (int k = 0; k < last; ++k) to.levels.push_back(is_compressed(k) ? compressed(k) : dense(k));
    if (is_compressed(last) && is_scattered(last)) {
      FilteredEntries entries = filtered(level(last), from_.values, above_, numbers(last));
      entries.level.nonempty = last > 0 && is_compressed(last - 1);
      to.levels.push_back(std::move(entries.level));
      to.values = std::move(entries.values);
      return out;
    }
    to.levels.push_back(is_compressed(last) ? compressed(last) : dense(last));
    to.values = kept(from_.values, above_);
    return out;
  }

 private:
  bool is_compressed(int k) const { return from_.format.level(k).packed(); }
  const LevelStorage& level(int k) const { return from_.levels[static_cast<std::size_t>(k)]; }
  const NewNumbers& numbers(int k) const { return numbers_[static_cast<std::size_t>(k)]; }

  /// Whether what is kept of a compressed level lies here and there, rather than in long stretches.
  bool is_scattered(int k) const {
    const NewNumbers& number = numbers(k);
    if (number.is_all()) return false;
    if (!number.is_interval() || !from_.format.level(k).ordered) return true;
    return with_coordinates(level(k).pos, [&](auto pos) {
      return with_coordinates(level(k).crd, [&](auto crd) { return has_many_cut(pos, crd, number.bounds()); });
    });
  }
  /// Whether bounds cut more than an eighth of the parents' ordered entries, as far as a look at some of them tells.
  template <typename Position, typename Coordinate>
  bool has_many_cut(std::span<Position> pos, std::span<Coordinate> crd, const Interval& bounds) const {
    constexpr std::int64_t enough = 10'000;
    const std::int64_t stride = above_.size() / enough + 1;
    std::int64_t looked_at = 0, cut = 0, skipped = 0;
    for (const Runs::Run& run : above_.all()) {
      const std::int64_t past = run.from + run.count;
      std::int64_t p = run.from + skipped;
      for (; p < past; p += stride, ++looked_at) {
        const auto begin = static_cast<std::size_t>(pos[static_cast<std::size_t>(p)]);
        const auto end = static_cast<std::size_t>(pos[static_cast<std::size_t>(p) + 1]);
        if (begin == end) continue;
        const auto cuts = [&](std::int64_t at) { return crd[begin] < at && at <= crd[end - 1]; };
        if (cuts(bounds.begin) || cuts(bounds.end)) ++cut;
      }
      skipped = p - past;
    }
    return cut > looked_at / 8;
  }

  LevelStorage dense(int k) {
    const NewNumbers& number = numbers(k);
    Runs below;
    for (const Runs::Run& run : above_.all()) {
      if (number.is_all()) {
        below.add(run.from * number.old_size(), run.count * number.old_size());
        continue;
      }
      for (std::int64_t p = run.from; p < run.from + run.count; ++p)
        number.kept().for_each_interval(
            [&](const Interval& kept) { below.add(p * number.old_size() + kept.begin, kept.size()); });
    }
    LevelStorage to;
    to.extent = number.size();
    to.positions = below.size();
    above_ = std::move(below);
    return to;
  }

  LevelStorage compressed(int k) {
    Runs below;
    Array ends = Array::allocate(position_type(level(k).crd.size()), above_.size() + 1, false);
    with_mutable_coordinates(ends, [&](auto to) {
      with_coordinates(level(k).pos, [&](auto pos) {
        with_coordinates(level(k).crd, [&](auto crd) { add_kept(k, pos.data(), crd.data(), below, to.data()); });
      });
    });
    LevelStorage to;
    to.extent = numbers(k).size();
    to.positions = below.size();
    to.pos = std::move(ends);
    to.crd = numbers(k).is_all() ? kept(level(k).crd, below) : renumbered(below, k);
    to.nonempty = k > 0 && is_compressed(k - 1);
    above_ = std::move(below);
    return to;
  }

  /// What is kept under each parent, and where it ends.
  template <typename Position, typename Coordinate, typename End>
  void add_kept(int k, const Position* pos, const Coordinate* crd, Runs& below, End* ends) const {
    const NewNumbers& number = numbers(k);
    const bool all_live = k >= last_compressed_ || alive_.empty();
    const bool is_ordered = from_.format.level(k).ordered;
    const Interval bounds = number.bounds();
    *ends++ = 0;
    for (const Runs::Run& run : above_.all()) {
      for (std::int64_t p = run.from; p < run.from + run.count; ++p, *ends++ = static_cast<End>(below.size())) {
        const std::int64_t begin = pos[p], end = pos[p + 1];
        if (begin == end) continue;
        if (is_ordered && (crd[begin] >= bounds.end || crd[end - 1] < bounds.begin)) continue;
        if (all_live && (number.is_all() || (is_ordered && number.is_interval() && crd[begin] >= bounds.begin &&
                                             crd[end - 1] < bounds.end))) {
          below.add(begin, end - begin);
          continue;
        }
        const Coordinate *first = crd + begin, *last = crd + end;
        if (is_ordered) {
          first = std::lower_bound(first, last, bounds.begin);
          last = std::lower_bound(first, last, bounds.end);
        }
        if (all_live && is_ordered && number.is_interval()) {
          below.add(first - crd, last - first);
          continue;
        }
        const auto is_kept = [&](const Coordinate& c) { return number.has(c) && (all_live || is_alive(k, &c - crd)); };
        for (const Coordinate* at = std::find_if(first, last, is_kept); at != last;) {
          const Coordinate* const past = std::find_if_not(at, last, is_kept);
          below.add(at - crd, past - at);
          at = std::find_if(past, last, is_kept);
        }
      }
    }
  }

  /// The array itself where all of it is kept.
  static Array kept(const Array& array, const Runs& runs) {
    const bool is_all = runs.is_stretch() && runs.size() == array.size();
    return is_all ? array : gather(array, runs, 0, 0);
  }

  /// The coordinates at some positions of a level, by their new numbers.
  Array renumbered(const Runs& runs, int k) const {
    const NewNumbers& number = numbers(k);
    Array crd = Array::allocate(level(k).crd.type(), runs.size(), false);
    with_mutable_coordinates(crd, [&](auto all) {
      using Coordinate = typename decltype(all)::value_type;
      const auto from = level(k).crd.view<Coordinate>();
      auto to = all.begin();
      const auto renumber = [&](const auto& new_number) {
        for (const Runs::Run& run : runs.all()) {
          const auto begin = from.begin() + run.from;
          to = std::transform(begin, begin + run.count, to, new_number);
        }
      };
      if (number.is_interval()) {
        renumber([first = number.bounds().begin](Coordinate c) { return static_cast<Coordinate>(c - first); });
      } else {
        renumber([&](Coordinate c) { return static_cast<Coordinate>(number[c]); });
      }
    });
    return crd;
  }

  bool is_alive(int k, std::int64_t position) const {
    return alive_[static_cast<std::size_t>(k)][static_cast<std::size_t>(position)] != 0;
  }

  /// Marks, from the innermost compressed level up to the outermost, the positions under which something is kept; where
  /// there is one only, nobody asks.
  void find_alive() {
    if (first_compressed_ == last_compressed_) return;
    alive_.resize(static_cast<std::size_t>(from_.order()));
    for (int k = last_compressed_; k > first_compressed_; --k) {
      const std::int64_t parents = level(k - 1).positions;
      std::vector<std::uint8_t>& marks = alive_[static_cast<std::size_t>(k - 1)];
      marks.assign(static_cast<std::size_t>(parents), 0);
      for (std::int64_t p = 0; p < parents; ++p) marks[static_cast<std::size_t>(p)] = has_live_child(k, p) ? 1 : 0;
    }
  }

  bool has_live_child(int k, std::int64_t parent) const {
    const NewNumbers& number = numbers(k);
    const bool all_live = k == last_compressed_;
    bool found = false;
    if (!is_compressed(k)) {
      number.kept().for_each_interval([&](const Interval& kept) {
        for (std::int64_t c = kept.begin; c < kept.end && !found; ++c)
          found = is_alive(k, parent * number.old_size() + c);
      });
      return found;
    }
    const IntegerReader pos(level(k).pos);
    with_coordinates(level(k).crd, [&](auto crd) {
      for (std::int64_t q = pos[parent]; q < pos[parent + 1] && !found; ++q)
        found = number.has(crd[static_cast<std::size_t>(q)]) && (all_live || is_alive(k, q));
    });
    return found;
  }

  const Storage& from_;
  const std::vector<IndexSet>& region_;
  std::vector<NewNumbers> numbers_;  // by level
  int first_compressed_ = -1, last_compressed_ = -1;
  std::vector<std::vector<std::uint8_t>> alive_;  // by level and position
  Runs above_;                                    // where the positions of the level above come from
};

/// Whether the part is stored as is expected here, and looking coordinates up takes no more memory than it has.
bool is_plain(const LocalPart& part, const std::vector<IndexSet>& region) {
  constexpr std::int64_t little = 1 << 20;
  const Storage& s = part.storage;
  const std::int64_t bytes = s.bytes() + little;
  bool stores = false;
  for (int k = 0; k < s.order(); ++k) {
    const LevelStorage& level = s.levels[static_cast<std::size_t>(k)];
    const LevelFormat& form = s.format.level(k);
    const auto mode = static_cast<std::size_t>(s.format.map().mode_of(k));
    if (level.origin != 0 || !NewNumbers::has_room_for(part.sets[mode], region[mode], bytes)) return false;
    if (form.packed()) {
      if (!has_plain_integers(level.pos) || !has_plain_integers(level.crd)) return false;
      stores = true;
    } else if (!form.full()) {
      return false;
    }
  }
  return stores && s.values.base() == 0;
}

}  // namespace

std::optional<LocalPart> restricted(const LocalPart& part, const std::vector<IndexSet>& region) {
  if (volume_of(region) == 0 || !is_plain(part, region)) return std::nullopt;
  return Restrictor(part, region).run();
}

}  // namespace lacuna
