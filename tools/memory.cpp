#include "tools/memory.h"

#include <fmt/format.h>

#include "lacuna/tensor/nodes/usage.h"
#include "tools/summary.h"

namespace lacuna::tool {
namespace {

/// Bytes.
struct Amount {
  std::int64_t in_use = 0;
  std::int64_t reserved = 0;
  Amount& operator+=(const Amount& other) {
    in_use += other.in_use;
    reserved += other.reserved;
    return *this;
  }
};

std::string line(const std::string& what, const Amount& amount, std::int64_t stored) {
  const std::string each =
      stored == 0 ? "" : fmt::format("{:.1f} bytes", static_cast<double>(amount.in_use) / static_cast<double>(stored));
  return fmt::format("{:<40} {:>10} {:>10} {:>10} {:>12}\n", what, bytes_text(amount.in_use),
                     bytes_text(amount.reserved - amount.in_use), bytes_text(amount.reserved), each);
}

Amount amount_of(const nodes::Usage& usage) {
  return {usage.in_use() * usage.bytes_each, usage.reserved * usage.bytes_each};
}

std::string level_lines(const Storage& tensor, int k, Amount& total) {
  const LevelStorage& level = tensor.levels[static_cast<std::size_t>(k)];
  const std::string name = fmt::format("level {}, {}", k + 1, tensor.format.level(k).name());
  if (!tensor.format.level(k).is_dynamic()) {
    const std::int64_t bytes = level.pos.bytes() + level.crd.bytes() + level.present.bytes();
    total += {bytes, bytes};
    return line(name, {bytes, bytes}, tensor.stored());
  }
  const std::int64_t record = level.nodes.front().bytes();
  Amount all{record, record};
  std::string parts;
  for (const nodes::Usage& each : nodes::usage_of(tensor, k)) {
    all += amount_of(each);
    const std::string what = fmt::format("  {}: {} {} of {} bytes", each.name, each.in_use(),
                                         each.pool ? "slots" : "nodes", each.bytes_each);
    parts += line(what, amount_of(each), tensor.stored());
  }
  total += all;
  return line(fmt::format("{}: {} elements", name, level.positions), all, tensor.stored()) + parts;
}

}  // namespace

std::string memory_report(const Storage& tensor) {
  std::string text =
      fmt::format("{:<40} {:>10} {:>10} {:>10} {:>12}\n", "memory", "in use", "free", "reserved", "an entry");
  Amount total;
  for (int k = 0; k < tensor.order(); ++k) text += level_lines(tensor, k, total);
  if (!tensor.format.has_values_in_nodes()) {
    const std::int64_t values = tensor.values.bytes();
    total += {values, values};
    text += line("values", {values, values}, tensor.stored());
  }
  return text + line("in all", total, tensor.stored());
}

}  // namespace lacuna::tool
