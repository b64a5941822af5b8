#include "lacuna/distribute/run/same_pattern.h"

#include <cstring>

#include "lacuna/distribute/parts/value_map.h"
#include "lacuna/tensor/convert.h"

namespace lacuna {
namespace {

bool same_memory(const Array& a, const Array& b) { return a.data() == b.data() && a.size() == b.size(); }

/// Where both are one memory, it may hold other values by now.
bool same_values(const Array& a, const Array& b) {
  return !same_memory(a, b) && std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.bytes())) == 0;
}

bool same_layout(const TensorLayout& a, const TensorLayout& b) {
  if (a.dimensions != b.dimensions || !(a.format == b.format) || !(a.machine == b.machine) ||
      a.distribution != b.distribution || a.shape.type != b.shape.type || !(a.shape.format == b.shape.format) ||
      a.placement.parts.size() != b.placement.parts.size())
    return false;
  for (std::size_t p = 0; p < a.placement.parts.size(); ++p) {
    const TensorPlacement::Part &x = a.placement.parts[p], &y = b.placement.parts[p];
    if (x.what.coordinates != y.what.coordinates || x.what.positions != y.what.positions ||
        x.what.stretches != y.what.stretches || x.processors != y.processors)
      return false;
  }
  return true;
}

}  // namespace

bool same_pattern(const Storage& a, const Storage& b) {
  if (a.format != b.format || a.type != b.type || a.dimensions != b.dimensions || !(a.fill == b.fill)) return false;
  for (std::size_t k = 0; k < a.levels.size(); ++k) {
    const LevelStorage &x = a.levels[k], &y = b.levels[k];
    if (x.origin != y.origin || x.extent != y.extent || x.positions != y.positions || x.nonempty != y.nonempty ||
        !same_coordinates(x.pos, y.pos) || !same_coordinates(x.crd, y.crd) || !same_coordinates(x.present, y.present))
      return false;
  }
  return true;
}

Change change_of(const DistributedTensor& before, const Storage& now, DistributedTensorPtr& next) {
  if (!before.is_whole() || !(before.format() == now.format)) return Change::Pattern;
  const Storage arrays = now.format.has_nodes() ? convert(now, before.shape().format) : now;
  if (!same_pattern(before.whole(), arrays)) return Change::Pattern;
  next = std::make_shared<const DistributedTensor>(arrays, before);
  for (const auto& [number, part] : next->parts())
    if (!same_values(part.storage.values, before.part(number).storage.values)) return Change::Values;
  return Change::None;
}

Change change_of(const DistributedTensor& before, const DistributedTensorPtr& now) {
  if (&before == now.get()) return before.is_adopted() ? Change::Values : Change::None;
  if (before.is_whole() || now->is_whole() || !same_layout(before.layout(), now->layout())) return Change::Pattern;
  Change change = now->is_adopted() ? Change::Values : Change::None;
  for (const auto& [number, part] : now->parts()) {
    const LocalPart& old = before.part(number);
    if (!same_pattern(old.storage, part.storage)) return Change::Pattern;
    if (!same_memory(old.storage.values, part.storage.values) && !same_values(old.storage.values, part.storage.values))
      change = Change::Values;
  }
  return change;
}

}  // namespace lacuna
