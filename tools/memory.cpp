#include "tools/memory.h"

#include <fmt/format.h>

#include "lacuna/support/text_table.h"
#include "lacuna/tensor/nodes.h"
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

/// The lines of a report, and what they add up to.
struct Lines {
  TextTable table{"lrrrr", 0};
  std::int64_t stored = 0;
  Amount total = {};

  void add(const std::string& what, const Amount& amount) {
    const double each = stored == 0 ? 0 : static_cast<double>(amount.in_use) / static_cast<double>(stored);
    table.add({what, bytes_text(amount.in_use), bytes_text(amount.reserved - amount.in_use),
               bytes_text(amount.reserved), stored == 0 ? "" : bytes_text(each)});
  }
};

Amount amount_of(const nodes::Usage& usage) {
  return {usage.in_use() * usage.bytes_each, usage.reserved * usage.bytes_each};
}

void add_level(const Storage& tensor, int k, Lines& lines) {
  const LevelStorage& level = tensor.levels[static_cast<std::size_t>(k)];
  const std::string name = fmt::format("level {}, {}", k + 1, tensor.format.level(k).name());
  if (!tensor.format.level(k).is_dynamic()) {
    const std::int64_t bytes = level.pos.bytes() + level.crd.bytes() + level.present.bytes();
    lines.total += {bytes, bytes};
    return lines.add(name, {bytes, bytes});
  }
  const std::int64_t record = level.nodes.front().bytes();
  const std::vector<nodes::Usage> parts = nodes::usage_of(tensor, k);
  Amount all{record, record};
  for (const nodes::Usage& each : parts) all += amount_of(each);
  lines.total += all;
  lines.add(fmt::format("{}: {} elements", name, level.positions), all);
  for (const nodes::Usage& each : parts)
    lines.add(fmt::format("  {}: {} {} of {}", each.name, each.in_use(), each.pool ? "slots" : "nodes",
                          bytes_text(each.bytes_each)),
              amount_of(each));
}

}  // namespace

std::string memory_report(const Storage& tensor) {
  Lines lines;
  lines.stored = tensor.stored();
  lines.table.add({"memory", "in use", "free", "reserved", "an entry"});
  for (int k = 0; k < tensor.order(); ++k) add_level(tensor, k, lines);
  if (!tensor.format.has_values_in_nodes()) {
    const std::int64_t values = tensor.values.bytes();
    lines.total += {values, values};
    lines.add("values", {values, values});
  }
  lines.add("in all", lines.total);
  return lines.table.text();
}

}  // namespace lacuna::tool
