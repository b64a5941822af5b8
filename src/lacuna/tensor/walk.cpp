#include <memory>
#include <vector>

#include "lacuna/dynamic/nodes/element_walk.h"
#include "lacuna/support/check.h"
#include "lacuna/tensor/compare.h"
#include "lacuna/tensor/hash.h"
#include "lacuna/tensor/integers.h"
#include "lacuna/tensor/nodes.h"
#include "lacuna/tensor/positions.h"

namespace lacuna {

namespace {

/// The dynamic levels of a tensor, made ready to be read.
class DynamicLevels {
 public:
  explicit DynamicLevels(const Storage& tensor) {
    for (int k = 0; k < tensor.order(); ++k)
      levels_.push_back(tensor.format.level(k).is_dynamic()
                            ? std::make_unique<nodes::LevelNodes>(nodes::arrays_of(tensor, k))
                            : nullptr);
  }
  const nodes::LevelNodes& operator[](int k) const { return *levels_[static_cast<std::size_t>(k)]; }

 private:
  std::vector<std::unique_ptr<nodes::LevelNodes>> levels_;
};

/// Walks a tensor level by level, calling back at every stored entry.
class Walker {
 public:
  using Visit = std::function<void(std::span<const std::int64_t>, const Scalar&)>;

  Walker(const Storage& tensor, const Visit& visit)
      : tensor_(tensor), dynamic_(tensor), visit_(visit), coordinate_(tensor.dimensions.size()) {}

  void walk(int k, std::int64_t parent) {
    if (k == tensor_.order()) {
      const auto index = parent - tensor_.values.base();
      const auto* values = static_cast<const unsigned char*>(tensor_.values.data());
      visit_(coordinate_, Scalar::load(tensor_.type, values + index * size_of(tensor_.type)));
      return;
    }
    const LevelStorage& level = tensor_.levels[static_cast<std::size_t>(k)];
    switch (tensor_.format.level(k).kind) {
      case LevelKind::Dense:
        for (std::int64_t c = 0; c < level.extent; ++c) enter(k, level.origin + c, parent * level.extent + c);
        break;
      case LevelKind::Bitmap: walk_bitmap(k, level, parent); break;
      case LevelKind::Singleton: enter(k, level.crd.integer(parent), parent); break;
      case LevelKind::Compressed:
      case LevelKind::Hashed:
        for (std::int64_t p = level.pos.integer(parent); p < level.pos.integer(parent + 1); ++p) {
          if (const std::int64_t c = level.crd.integer(p); c >= 0) enter(k, c, p);
        }
        break;
      case LevelKind::Dynamic: walk_dynamic(k, parent); break;
    }
  }

 private:
  void walk_dynamic(int k, std::int64_t parent) {
    nodes::ElementWalk elements(dynamic_[k]);
    elements.start(parent);
    while (elements.next()) {
      if (k + 1 < tensor_.order()) {
        enter(k, elements.coordinate(), dynamic_[k].child(elements.value()));
        continue;
      }
      coordinate_[static_cast<std::size_t>(tensor_.format.map().mode_of(k))] = elements.coordinate();
      visit_(coordinate_, Scalar::load(tensor_.type, elements.value()));
    }
  }

  void walk_bitmap(int k, const LevelStorage& level, std::int64_t parent) {
    const auto present = level.present.view<std::uint8_t>();
    const std::int64_t first = first_position(tensor_, k);
    for (std::int64_t c = 0; c < level.extent; ++c) {
      const std::int64_t child = parent * level.extent + c;
      if (present[static_cast<std::size_t>(child - first)] != 0) enter(k, level.origin + c, child);
    }
  }

  void enter(int k, std::int64_t coordinate, std::int64_t child) {
    coordinate_[static_cast<std::size_t>(tensor_.format.map().mode_of(k))] = coordinate;
    walk(k + 1, child);
  }

  const Storage& tensor_;
  DynamicLevels dynamic_;
  const Visit& visit_;
  std::vector<std::int64_t> coordinate_;
};

/// Sums what is stored at one coordinate, by the quickest search that each level allows.
class Finder {
 public:
  Finder(const Storage& tensor, std::span<const std::int64_t> coordinate)
      : tensor_(tensor), dynamic_(tensor), coordinate_(coordinate) {}

  Scalar find() {
    search(0, 0);
    return found_ ? sum_.convert(tensor_.type) : tensor_.fill;
  }

 private:
  void search(int k, std::int64_t parent) {
    if (k == tensor_.order()) {
      const auto* values = static_cast<const unsigned char*>(tensor_.values.data());
      add(Scalar::load(tensor_.type, values + (parent - tensor_.values.base()) * size_of(tensor_.type)));
      return;
    }
    const LevelStorage& level = tensor_.levels[static_cast<std::size_t>(k)];
    const LevelFormat& format = tensor_.format.level(k);
    const std::int64_t c = coordinate_[static_cast<std::size_t>(tensor_.format.map().mode_of(k))];
    const std::int64_t local = c - level.origin;
    const bool inside = local >= 0 && local < level.extent;
    switch (format.kind) {
      case LevelKind::Dense:
        if (inside) search(k + 1, parent * level.extent + local);
        break;
      case LevelKind::Bitmap: {
        const std::int64_t child = parent * level.extent + local;
        const auto present = level.present.view<std::uint8_t>();
        if (inside && present[static_cast<std::size_t>(child - first_position(tensor_, k))] != 0) search(k + 1, child);
        break;
      }
      case LevelKind::Singleton:
        if (level.crd.integer(parent) == c) search(k + 1, parent);
        break;
      case LevelKind::Compressed: search_compressed(k, level, format.ordered, parent, c); break;
      case LevelKind::Hashed: search_hashed(k, level, parent, c); break;
      case LevelKind::Dynamic: search_dynamic(k, parent, c); break;
    }
  }

  void add(const Scalar& value) {
    sum_ = found_ ? sum_ + value : value;
    found_ = true;
  }

  void search_dynamic(int k, std::int64_t parent, std::int64_t c) {
    nodes::ElementWalk elements(dynamic_[k]);
    elements.start(parent);
    while (elements.next()) {
      if (elements.coordinate() != c) continue;
      if (k + 1 == tensor_.order()) return add(Scalar::load(tensor_.type, elements.value()));
      return search(k + 1, dynamic_[k].child(elements.value()));
    }
  }

  void search_compressed(int k, const LevelStorage& level, bool ordered, std::int64_t parent, std::int64_t c) {
    std::int64_t p = level.pos.integer(parent);
    const std::int64_t end = level.pos.integer(parent + 1);
    if (!ordered) {
      for (; p < end; ++p) {
        if (level.crd.integer(p) == c) search(k + 1, p);
      }
      return;
    }
    for (std::int64_t high = end; p < high;) {
      const std::int64_t middle = p + (high - p) / 2;
      if (level.crd.integer(middle) < c) p = middle + 1;
      else high = middle;
    }
    for (; p < end && level.crd.integer(p) == c; ++p) search(k + 1, p);
  }

  void search_hashed(int k, const LevelStorage& level, std::int64_t parent, std::int64_t c) {
    const std::int64_t begin = level.pos.integer(parent);
    const std::int64_t size = level.pos.integer(parent + 1) - begin;
    if (size == 0) return;
    std::int64_t slot = hash_slot(c, size);
    while (true) {
      const std::int64_t here = level.crd.integer(begin + slot);
      if (here == c) return search(k + 1, begin + slot);
      if (here < 0) return;
      slot = (slot + 1) & (size - 1);
    }
  }

  const Storage& tensor_;
  DynamicLevels dynamic_;
  std::span<const std::int64_t> coordinate_;
  bool found_ = false;
  Scalar sum_;
};

}  // namespace

void for_each(const Storage& tensor, const std::function<void(std::span<const std::int64_t>, const Scalar&)>& visit) {
  Walker(tensor, visit).walk(0, 0);
}

Scalar value_at(const Storage& tensor, std::span<const std::int64_t> coordinate) {
  if (coordinate.size() != tensor.dimensions.size()) {
    user_error("a coordinate of {} numbers for a tensor of order {}", coordinate.size(), tensor.order());
  }
  for (std::size_t m = 0; m < coordinate.size(); ++m) {
    if (coordinate[m] < 0 || coordinate[m] >= tensor.dimensions[m]) {
      user_error("coordinate {} of mode {} is outside [0, {})", coordinate[m], m, tensor.dimensions[m]);
    }
  }
  return Finder(tensor, coordinate).find();
}

}  // namespace lacuna
