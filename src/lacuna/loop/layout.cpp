#include "lacuna/loop/layout.h"

#include <algorithm>

#include "lacuna/support/check.h"

namespace lacuna::loop {
namespace {

std::int64_t rounded_up(std::int64_t value, std::int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace

RecordLayout record_layout(const Record& record) {
  RecordLayout layout;
  for (const Field& field : record.fields) {
    internal_check(field.type.is_scalar() || field.type.is_ref(), "the field {}.{} is no scalar", record.name,
                   field.name);
    internal_check(field.count >= 0, "the field {}.{} has a negative count", record.name, field.name);
    const std::int64_t stride = size_of(field.type.scalar);
    // A complex number is two floats in a row and is aligned as one of them.
    const std::int64_t alignment = size_of(real_part_type(field.type.scalar));
    const std::int64_t offset = rounded_up(layout.size, alignment);
    layout.fields.push_back({offset, stride});
    layout.size = offset + stride * std::max<std::int64_t>(field.count, 1);
    layout.alignment = std::max(layout.alignment, alignment);
  }
  layout.size = std::max<std::int64_t>(rounded_up(layout.size, layout.alignment), 1);
  return layout;
}

std::int64_t element_size(const IrType& memory) {
  internal_check(memory.is_memory(), "only arrays have elements");
  if (memory.is_shelf()) return static_cast<std::int64_t>(sizeof(void*));
  return memory.kind == IrType::Kind::Arena ? record_layout(*memory.record).size : size_of(memory.scalar);
}

}  // namespace lacuna::loop
