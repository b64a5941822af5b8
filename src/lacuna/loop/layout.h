#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lacuna/loop/ir.h"

namespace lacuna::loop {

/// Where a field lies in its record, in bytes.
struct FieldLayout {
  std::int64_t offset = 0;
  std::int64_t stride = 0;  // size of one element of the field
};

/// A record as C lays out the struct: fields in order, each at its natural alignment, the size a multiple of the
/// largest.
struct RecordLayout {
  std::vector<FieldLayout> fields;  // in the order of Record::fields
  std::int64_t size = 0;
  std::int64_t alignment = 1;
};

/// Throws InternalError when a field is neither a scalar nor a reference.
RecordLayout record_layout(const Record& record);

/// Size in bytes of one element of an array or arena type.
std::int64_t element_size(const IrType& memory);

}  // namespace lacuna::loop
