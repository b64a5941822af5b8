#pragma once

#include "lacuna/loop/interpret/code.h"
#include "lacuna/loop/interpret/machine.h"

namespace lacuna::loop::interpreter {

Code::Run constant_read();
Code::Run variable_read();
/// Of an element of an array, or of a field of a record (`is_field`), of the given type.
Code::Run element_read(Type type, bool is_field);
Flow run_prefetch(const Step& step, Machine& machine);
Step::Run element_write(Type type, bool is_field, StoreOp op);
/// The position of a key in a range; `near`: probing as a search that starts close to the answer does.
Code::Run search(Type type, bool near);
Step::Run range_sort(Type type);
Step::Run sort_marked(Type type);
Step::Run range_fill(Type type);
// matrix.cpp: of Float32 or Float64.
Step::Run matrix_product_run(Type type);
Code::Run dot_run(Type type);

/// Checks a read of the place before it happens: that it was written, and that no other iteration writes it.
void check_read(Memory& memory, std::int64_t place, Machine& machine);
/// Checks and notes a write.
void check_write(Memory& memory, std::int64_t place, Access access, Machine& machine);

/// How often updates of elements count as operations on values.
inline constexpr std::int64_t operations_of(StoreOp op) { return op == StoreOp::Set ? 0 : 1; }

}  // namespace lacuna::loop::interpreter
