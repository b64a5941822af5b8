#include "lacuna/distribute/parts/piece.h"

#include <algorithm>
#include <limits>

#include "lacuna/distribute/sets/runs.h"
#include "lacuna/tensor/hash.h"
#include "lacuna/tensor/integers.h"
#include "lacuna/tensor/positions.h"

namespace lacuna {

namespace {

/// Goes down the levels, knowing of the piece's positions above where they come from and how they are numbered.
class PieceMaker {
 public:
  PieceMaker(const Storage& whole, const Restriction& box, const std::vector<IndexSet>& live, PieceMemory memory)
      : whole_(whole), box_(box), live_(live), in_place_(memory == PieceMemory::InPlace) {}

  Storage run() {
    Storage piece;
    piece.format = whole_.format;
    piece.type = whole_.type;
    piece.dimensions = whole_.dimensions;
    piece.fill = whole_.fill;
    above_.add(0, 1);
    for (int k = 0; k < whole_.order(); ++k) piece.levels.push_back(level(k));
    piece.values = taken(whole_.values, 0);
    return piece;
  }

 private:
  LevelStorage level(int k) {
    const LevelStorage& from = whole_.levels[static_cast<std::size_t>(k)];
    const IndexSet& live = live_[static_cast<std::size_t>(k)];
    const Interval range = box_.coordinates[static_cast<std::size_t>(whole_.format.map().mode_of(k))].bounds();
    LevelStorage to;
    to.origin = range.begin;
    to.extent = range.size();
    switch (whole_.format.level(k).kind) {
      case LevelKind::Dense: go_down_spans(from, to); break;
      case LevelKind::Bitmap:
        go_down_spans(from, to);
        to.present = present(from, live, first_position(whole_, k));
        break;
      case LevelKind::Singleton: to.crd = taken(from.crd, 0); break;
      case LevelKind::Compressed: compress(from, live, to); break;
      case LevelKind::Hashed: hash(from, live, to); break;
      case LevelKind::Dynamic: throw InternalError("internal error: a piece of nodes");
    }
    to.positions = above_.size();
    return to;
  }

  /// The elements that belong to the piece's positions.
  Array taken(const Array& array, std::uint8_t fill) const {
    if (in_place_ && above_.is_stretch()) return window(array, above_.begin(), above_.size(), first_);
    return gather(array, above_, first_, fill);
  }

  /// From parents to spans of children, one for each coordinate of the range.
  void go_down_spans(const LevelStorage& from, const LevelStorage& to) {
    Runs below;
    for (const Runs::Run& run : above_.all()) {
      if (run.from == Runs::nowhere) {
        below.add(Runs::nowhere, run.count * to.extent);
      } else if (to.extent == from.extent) {
        below.add(run.from * from.extent, run.count * from.extent);
      } else {
        for (std::int64_t p = run.from; p < run.from + run.count; ++p)
          below.add(p * from.extent + to.origin - from.origin, to.extent);
      }
    }
    above_ = std::move(below);
    first_ *= to.extent;
  }

  Array present(const LevelStorage& from, const IndexSet& live, std::int64_t first) const {
    const Array bytes = numbered_from(from.present, first);
    if (in_place_ && above_.is_stretch()) {
      const Array view = window(bytes, above_.begin(), above_.size(), first_);
      const auto marks = view.view<std::uint8_t>();
      const auto marked = std::count_if(marks.begin(), marks.end(), [](std::uint8_t mark) { return mark != 0; });
      if (marked == live.within({above_.begin(), above_.begin() + above_.size()}).size()) return view;
    }
    Array marks = Array::allocate(Type::UInt8, above_.size(), true);
    auto to = marks.mutable_view<std::uint8_t>().begin();
    for (const Runs::Run& run : above_.all()) {
      if (run.from != Runs::nowhere) {
        live.for_each_interval_within({run.from, run.from + run.count}, [&](const Interval& stored) {
          std::fill_n(to + (stored.begin - run.from), stored.size(), std::uint8_t{1});
        });
      }
      to += run.count;
    }
    return numbered_from(marks, first_);
  }

  void compress(const LevelStorage& from, const IndexSet& live, LevelStorage& to) {
    const IntegerReader pos(from.pos);
    Runs below;
    std::vector<std::int64_t> ends;  // by parent, counted from 0
    ends.reserve(static_cast<std::size_t>(above_.size()));
    to.nonempty = true;
    each_parent([&](std::int64_t parent) {
      const std::int64_t before = below.size();
      if (parent != Runs::nowhere) {
        live.for_each_interval_within({pos[parent], pos[parent + 1]},
                                      [&](const Interval& children) { below.add(children); });
      }
      to.nonempty = to.nonempty && below.size() > before;
      ends.push_back(below.size());
    });
    set_segments(from, ends, std::move(below), to);
  }

  void hash(const LevelStorage& from, const IndexSet& live, LevelStorage& to) {
    const IntegerReader pos(from.pos);
    Runs below;
    std::vector<std::int64_t> ends;
    each_parent([&](std::int64_t parent) {
      if (parent != Runs::nowhere) add_table(from, live, {pos[parent], pos[parent + 1]}, below);
      ends.push_back(below.size());
    });
    set_segments(from, ends, std::move(below), to);
  }

  /// The table as it is where all of its entries stay, else a new one: a search must not end at a slot that was
  /// emptied.
  static void add_table(const LevelStorage& from, const IndexSet& live, const Interval& slots, Runs& below) {
    const IntegerReader crd(from.crd);
    const std::int64_t kept = live.rank(slots.end) - live.rank(slots.begin);
    if (kept == 0) return;
    std::int64_t filled = 0;
    for (std::int64_t slot = slots.begin; slot < slots.end; ++slot) filled += crd[slot] >= 0 ? 1 : 0;
    if (kept == filled) return below.add(slots);
    const std::int64_t size = hash_region_size(kept);
    std::vector<std::int64_t> table(static_cast<std::size_t>(size), Runs::nowhere);
    live.for_each_interval_within(slots, [&](const Interval& run) {
      for (std::int64_t slot = run.begin; slot < run.end; ++slot) {
        std::int64_t at = hash_slot(crd[slot], size);
        while (table[static_cast<std::size_t>(at)] != Runs::nowhere) at = (at + 1) & (size - 1);
        table[static_cast<std::size_t>(at)] = slot;
      }
    });
    for (const std::int64_t slot : table) below.add(slot, 1);
  }

  template <typename F>
  void each_parent(const F& f) const {
    for (const Runs::Run& run : above_.all()) {
      for (std::int64_t n = 0; n < run.count; ++n) f(run.from == Runs::nowhere ? Runs::nowhere : run.from + n);
    }
  }

  void set_segments(const LevelStorage& from, const std::vector<std::int64_t>& ends, Runs below, LevelStorage& to) {
    const std::int64_t begin = in_place_ && below.is_stretch() ? below.begin() : 0;
    to.pos = segments(from.pos, ends, begin);
    above_ = std::move(below);
    first_ = begin;
    to.crd = taken(from.crd, 0xff);  // -1 in empty slots
  }

  /// pos: begin, then begin plus each end.
  Array segments(const Array& pos, const std::vector<std::int64_t>& ends, std::int64_t begin) const {
    const std::int64_t last = begin + (ends.empty() ? 0 : ends.back());
    if (in_place_ && above_.is_stretch() && !ends.empty()) {
      const IntegerReader reader(pos);
      bool same = reader[above_.begin()] == begin;
      for (std::size_t p = 0; p < ends.size() && same; ++p)
        same = reader[above_.begin() + static_cast<std::int64_t>(p) + 1] == begin + ends[p];
      if (same) return window(pos, above_.begin(), above_.size() + 1, first_);
    }
    const bool fits = visit_integer_type(pos.type(), [&](auto zero) {
      return last < 0x80 ||
             static_cast<std::uint64_t>(last) <= std::uint64_t{std::numeric_limits<decltype(zero)>::max()};
    });
    Array to = Array::allocate(fits ? pos.type() : position_type(last), std::ssize(ends) + 1, false);
    visit_integer_type(to.type(), [&](auto zero) {
      using Integer = decltype(zero);
      auto elements = to.mutable_view<Integer>();
      elements[0] = static_cast<Integer>(begin);
      for (std::size_t p = 0; p < ends.size(); ++p) elements[p + 1] = static_cast<Integer>(begin + ends[p]);
    });
    return numbered_from(to, first_);
  }

  const Storage& whole_;
  const Restriction& box_;
  const std::vector<IndexSet>& live_;
  const bool in_place_;
  Runs above_;              // where the positions of the level above come from
  std::int64_t first_ = 0;  // the first one's number in the piece
};

}  // namespace

Storage make_piece(const Storage& whole, const Restriction& box, const std::vector<IndexSet>& live,
                   PieceMemory memory) {
  return PieceMaker(whole, box, live, memory).run();
}

}  // namespace lacuna
