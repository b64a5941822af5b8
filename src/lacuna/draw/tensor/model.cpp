#include "lacuna/draw/tensor/model.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "lacuna/draw/tensor/node_slots.h"
#include "lacuna/draw/tensor/shown.h"
#include "lacuna/tensor/nodes.h"

namespace lacuna::picture {
namespace {

/// Longer values are rounded.
constexpr std::size_t longest_value = 7;

ArrayRow row_of(std::string name, const Array& array, std::int64_t shown, bool by_position) {
  ArrayRow row{std::move(name), {}, by_position};
  const auto* const bytes = static_cast<const char*>(array.data());
  for (std::int64_t k = 0; k < std::min(shown, array.size()); ++k)
    row.cells.push_back(value_text(Scalar::load(array.type(), bytes + k * size_of(array.type()))));
  return row;
}

/// "7,000".
std::string grouped(std::int64_t number) {
  std::string digits = std::to_string(number);
  for (std::int64_t at = std::ssize(digits) - 3; at > 0; at -= 3) digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

/// Coordinates that lead to a position, level by level.
using Path = std::vector<std::int64_t>;

class ModelMaker {
 public:
  ModelMaker(const Storage& tensor, const Shown& shown) : tensor_(tensor), shown_(shown) {}

  TensorModel make() {
    paths_.emplace_back();  // the one position above all levels
    for (int k = 0; k < tensor_.order(); ++k) {
      level_ = k;
      LevelModel& level = model_.levels.emplace_back();
      level.title = title();
      if (format().is_dynamic()) add_nodes(level);
      else add_arrays(level);
    }
    if (!tensor_.format.has_values_in_nodes()) model_.values = row_of("vals", tensor_.values, shown_.values, true);
    if (!shown_.is_all) model_.caption = caption();
    return std::move(model_);
  }

 private:
  const LevelFormat& format() const { return tensor_.format.level(level_); }
  const LevelStorage& storage() const { return tensor_.levels[static_cast<std::size_t>(level_)]; }
  const ShownLevel& shown() const { return shown_.levels[static_cast<std::size_t>(level_)]; }
  bool is_last() const { return level_ + 1 == tensor_.order(); }
  bool is_above_nodes() const { return !is_last() && tensor_.format.level(level_ + 1).is_dynamic(); }

  std::string title() const {
    const int mode = tensor_.format.map().mode_of(level_);
    const std::string of_mode = mode == level_ ? "" : fmt::format(" of mode {}", mode);
    return fmt::format("level {}: {}{}", level_ + 1, format().name(), of_mode);
  }

  std::string caption() const {
    std::int64_t elements = shown_.values;
    if (tensor_.format.has_values_in_nodes()) {
      elements = 0;
      for (const DrawnNode& node : model_.levels.back().nodes)
        elements += std::count_if(node.slots.begin(), node.slots.end(),
                                  [](const Slot& slot) { return slot.kind == Slot::Kind::Element; });
    }
    return fmt::format("the start: {} of {} stored values; all would take {} boxes", grouped(elements),
                       grouped(tensor_.places()), grouped(shown_.all_boxes));
  }

  /// "(2,·)": by mode, with a dot for what the levels from here on hold.
  std::string above(const Path& path) const {
    if (path.empty()) return "";
    std::vector<std::string> parts(tensor_.dimensions.size(), "·");
    for (std::size_t k = 0; k < path.size(); ++k)
      parts[static_cast<std::size_t>(tensor_.format.map().mode_of(static_cast<int>(k)))] = std::to_string(path[k]);
    return fmt::format("({})", fmt::join(parts, ","));
  }

  static Path extended(Path path, std::int64_t coordinate) {
    path.push_back(coordinate);
    return path;
  }

  void add_nodes(LevelModel& level) {
    level.dynamic = true;
    const nodes::LevelNodes nodes(nodes::arrays_of(tensor_, level_));
    NodeCollector collector(nodes, is_last(), shown().boxes, level);
    for (std::size_t root = 0; root < paths_.size(); ++root) {
      if (level_ > 0 && paths_[root].empty()) level.structures.emplace_back();
      else collector.add(static_cast<std::int64_t>(root), above(paths_[root]));
    }
    std::vector<Path> below(is_last() ? 0 : static_cast<std::size_t>(shown().positions));
    for (std::size_t root = 0; root < paths_.size(); ++root) {
      const Structure& structure = level.structures[root];
      for (std::size_t n = structure.first; n < structure.first + structure.count; ++n)
        for (const Slot& slot : level.nodes[n].slots)
          if (slot.kind == Slot::Kind::Element && slot.leads_to >= 0 && slot.leads_to < std::ssize(below))
            below[static_cast<std::size_t>(slot.leads_to)] = extended(paths_[root], slot.coordinate);
    }
    paths_ = std::move(below);
  }

  void add_arrays(LevelModel& level) {
    const LevelStorage& arrays = storage();
    const bool full = format().spans();
    if (full && !is_above_nodes()) level.rows.push_back({"N", {std::to_string(arrays.extent)}});
    if (full) level.spread = arrays.extent;
    const auto add = [&](const char* name, const Array& array, std::int64_t cells, bool by_position) {
      if (array.empty()) return;
      if (level.entered < 0) level.entered = static_cast<int>(level.rows.size());
      level.rows.push_back(row_of(name, array, cells, by_position));
    };
    add("present", arrays.present, shown().positions, true);
    add("pos", arrays.pos, shown().parents + 1, false);
    add("crd", arrays.crd, shown().positions, true);
    if (!arrays.pos.empty() && !arrays.crd.empty())
      for (std::int64_t parent = 0; parent <= shown().parents; ++parent)
        level.segments.push_back(arrays.pos.integer(parent));
    go_below(level);
  }

  /// The paths of this level's positions that are shown, while there are nodes below that show them.
  void go_below(LevelModel& level) {
    std::vector<Path> below;
    const LevelStorage& arrays = storage();
    for (std::size_t parent = 0; parent < paths_.size() && format().full(); ++parent)
      for (std::int64_t c = 0; c < arrays.extent && std::ssize(below) < shown().positions; ++c)
        below.push_back(extended(paths_[parent], arrays.origin + c));
    for (std::size_t parent = 0; parent < paths_.size() && format().packed(); ++parent) {
      const auto at = static_cast<std::int64_t>(parent);
      const std::int64_t end = std::min(arrays.pos.integer(at + 1), shown().positions);
      for (std::int64_t p = arrays.pos.integer(at); p < end; ++p)
        below.push_back(extended(paths_[parent], arrays.crd.integer(p)));
    }
    paths_ = std::move(below);
    if (!is_above_nodes() || !format().full()) return;
    level.entered = static_cast<int>(level.rows.size());
    ArrayRow& entries = level.rows.emplace_back();
    entries.by_position = true;
    for (const Path& path : paths_) entries.cells.push_back(std::to_string(path.back()));
  }

  const Storage& tensor_;
  const Shown& shown_;
  TensorModel model_;
  int level_ = 0;
  std::vector<Path> paths_;  // of the positions of the level above
};

}  // namespace

std::string value_text(const Scalar& value) {
  const std::string text = value.to_string();
  if (text.size() <= longest_value || is_integer(value.type())) return text;
  if (is_complex(value.type())) {
    const auto number = value.as<std::complex<double>>();
    return fmt::format("{:.3g}{:+.3g}i", number.real(), number.imag());
  }
  return fmt::format("{:.4g}", value.as<double>());
}

TensorModel model_of(const Storage& tensor, std::int64_t most_boxes) {
  const Shown shown = shown_of(tensor, most_boxes);
  return ModelMaker(tensor, shown).make();
}

}  // namespace lacuna::picture
