#include "lacuna/draw/tensor/shown.h"

#include <algorithm>
#include <limits>
#include <map>

#include "lacuna/dynamic/nodes/element_walk.h"
#include "lacuna/tensor/nodes.h"

namespace lacuna::picture {
namespace {

/// Nodes and elements under the first roots of a dynamic level, counted as far as a picture could need.
class StructureCounts {
 public:
  StructureCounts(const Storage& tensor, int level, std::int64_t most_boxes)
      : nodes_(nodes::arrays_of(tensor, level)), most_(most_boxes) {}

  struct Count {
    std::int64_t boxes = 0, elements = 0;
  };

  /// Of the first `roots` roots; the count ends once it is past `most_boxes`.
  Count of(std::int64_t roots) {
    while (std::ssize(sums_) <= roots && sums_.back().boxes <= most_) add();
    return sums_[static_cast<std::size_t>(std::min<std::int64_t>(roots, std::ssize(sums_) - 1))];
  }

 private:
  struct Enough {};
  class NodeCounter : public nodes::WalkObserver {
   public:
    explicit NodeCounter(std::int64_t most) : most_(most) {}
    void enter(std::size_t /*type*/, std::uint32_t /*node*/) override {
      if (++boxes > most_) throw Enough();
    }
    void missing(const nodes::FieldPlan& /*field*/, std::uint32_t /*reference*/) override {}
    std::int64_t boxes = 0;

   private:
    std::int64_t most_;
  };

  void add() {
    Count sum = sums_.back();
    NodeCounter counter(most_ - sum.boxes);
    nodes::ElementWalk walk(nodes_, &counter);
    try {
      for (walk.start(std::ssize(sums_) - 1); walk.next();) {
        ++sum.elements;
        if (++counter.boxes > most_ - sum.boxes) break;
      }
    } catch (const Enough&) {  // the rest of the structure has no room
    }
    sum.boxes += counter.boxes;
    sums_.push_back(sum);
  }

  nodes::LevelNodes nodes_;
  std::int64_t most_;
  std::vector<Count> sums_{{}};
};

/// Also where the levels above took all the room.
constexpr std::int64_t least_boxes = 8;

class Chooser {
 public:
  Chooser(const Storage& tensor, std::int64_t most_boxes) : tensor_(tensor), room_(most_boxes) {
    for (int k = 0; k < tensor.order(); ++k)
      if (is_dynamic(k)) counts_.try_emplace(k, tensor, k, most_boxes);
  }

  Shown run() {
    Shown shown;
    shown.all_boxes = all_boxes();
    shown.is_all = shown.all_boxes <= room_;
    std::int64_t parents = 1;
    for (int k = 0; k < tensor_.order(); ++k) {
      shown.levels.push_back(shown.is_all ? whole(k, parents) : start(k, parents));
      parents = shown.levels.back().positions;
    }
    shown.values = std::min(parents, tensor_.values.size());
    return shown;
  }

 private:
  bool is_dynamic(int k) const { return tensor_.format.level(k).is_dynamic(); }
  const LevelStorage& storage(int k) const { return tensor_.levels[static_cast<std::size_t>(k)]; }
  StructureCounts& counts(int k) { return counts_.at(k); }

  ShownLevel whole(int k, std::int64_t parents) const {
    return {parents, storage(k).positions, std::numeric_limits<std::int64_t>::max()};
  }

  /// What there is room for at one level, after those above it.
  ShownLevel start(int k, std::int64_t parents) {
    ShownLevel level{parents, most_positions(k, parents), 0};
    level.boxes = own_boxes(k, parents, level.positions);
    if (is_dynamic(k) && level.boxes > room_) {
      // The start of one large structure; levels below take the other half.
      const StructureCounts::Count counted = counts(k).of(parents);
      level.boxes = std::max(least_boxes, k + 1 == tensor_.order() ? room_ : room_ / 2);
      level.positions = std::max<std::int64_t>(1, counted.elements * level.boxes / counted.boxes);
    }
    room_ -= level.boxes;
    return level;
  }

  std::int64_t all_boxes() const {
    std::int64_t boxes = tensor_.values.size();
    for (int k = 0; k < tensor_.order(); ++k) {
      const LevelStorage& level = storage(k);
      boxes += level.pos.size() + level.crd.size() + level.present.size();
      if (is_dynamic(k)) {
        for (const nodes::Usage& each : nodes::usage_of(tensor_, k)) boxes += each.pool ? 0 : each.taken;
        boxes += level.positions;
      } else if (k + 1 < tensor_.order() && is_dynamic(k + 1)) {
        boxes += level.positions;
      }
    }
    return boxes;
  }

  /// How many positions level k has under its first parents.
  std::int64_t positions(int k, std::int64_t parents) {
    const LevelStorage& level = storage(k);
    if (is_dynamic(k)) return counts(k).of(parents).elements;
    if (!level.pos.empty()) return level.pos.integer(parents);
    return tensor_.format.level(k).branchless() ? parents : parents * level.extent;
  }

  std::int64_t own_boxes(int k, std::int64_t parents, std::int64_t shown) {
    if (is_dynamic(k)) return counts(k).of(parents).boxes;
    const LevelStorage& level = storage(k);
    std::int64_t boxes = level.pos.empty() ? 0 : parents + 1;
    for (const Array* array : {&level.crd, &level.present}) boxes += array->empty() ? 0 : shown;
    return boxes + (k + 1 < tensor_.order() && is_dynamic(k + 1) ? shown : 0);
  }

  /// Boxes of the levels from k on, and of values, under the first parents.
  std::int64_t boxes_from(int k, std::int64_t parents) {
    if (k == tensor_.order()) return tensor_.values.empty() ? 0 : parents;
    const std::int64_t shown = positions(k, parents);
    const std::int64_t own = own_boxes(k, parents, shown);
    return own > room_ ? own : own + boxes_from(k + 1, shown);
  }

  std::int64_t most_positions(int k, std::int64_t parents) {
    const std::int64_t all = positions(k, parents);
    std::int64_t low = std::min<std::int64_t>(1, all), high = all;
    while (low < high) {
      const std::int64_t middle = low + (high - low + 1) / 2;
      if (own_boxes(k, parents, middle) + boxes_from(k + 1, middle) <= room_) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  const Storage& tensor_;
  std::int64_t room_;
  std::map<int, StructureCounts> counts_;  // of dynamic levels
};

}  // namespace

Shown shown_of(const Storage& tensor, std::int64_t most_boxes) { return Chooser(tensor, most_boxes).run(); }

}  // namespace lacuna::picture
