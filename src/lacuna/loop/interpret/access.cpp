#include "lacuna/loop/interpret/access.h"

#include <cstring>
#include <type_traits>

#include <fmt/core.h>

#include "lacuna/loop/interpret/integer_math.h"
#include "lacuna/loop/passes.h"
#include "lacuna/support/error.h"

namespace lacuna::loop::interpreter {
namespace {

Value run_constant(const Code& code, Machine&) { return code.value; }

[[noreturn]] void fail_unassigned(const Code& code, Machine& machine) {
  machine.fail_with("{} is read before it is assigned", std::get<VarUse>(code.source->kind).var.name());
}

Value run_variable(const Code& code, Machine& machine) {
  const Slot& slot = machine.slots[code.slot];
  if (!slot.assigned) fail_unassigned(code, machine);
  return slot.value;
}

[[noreturn]] void fail_bounds(const Memory& memory, Value index, Type type, Machine& machine) {
  if (!memory.data()) machine.fail_with("{} has no memory (null) and is indexed", memory.name());
  if (type == Type::UInt32 && index.i == null_ref_bits) {
    machine.fail_with("the null reference is followed into {}", memory.name());
  }
  machine.fail_with("index {} is outside {}, which has {} elements", to_scalar(index, type).to_string(), memory.name(),
                    memory.count());
}

/// The place of an element: which one, and where its bytes are.
struct Place {
  std::int64_t watched;
  std::byte* address;
};

/// `Node` is a Code or a Step: `a` is the index, `sub` that of a field that is an array.
template <bool is_field, typename Node>
Place place_of(const Node& node, const Code* sub, Type index_type, Memory& memory, Machine& machine) {
  const Value index = node.a->run(*node.a, machine);
  if (static_cast<std::uint64_t>(index.i) >= static_cast<std::uint64_t>(memory.count())) {
    fail_bounds(memory, index, index_type, machine);
  }
  if constexpr (!is_field) {
    return {index.i, memory.data() + index.i * memory.element_bytes()};
  } else {
    std::int64_t offset = node.offset;
    if (sub) {
      const Value inner = sub->run(*sub, machine);
      if (static_cast<std::uint64_t>(inner.i) >= static_cast<std::uint64_t>(node.extent)) {
        machine.fail_with("index {} is outside a field of {}, which has {} elements", inner.i, memory.name(),
                          node.extent);
      }
      offset += inner.i * node.stride;
    }
    const std::int64_t byte = index.i * memory.element_bytes() + offset;
    return {byte, memory.data() + byte};
  }
}

template <typename T>
T read(const std::byte* address) {
  if constexpr (std::is_same_v<T, bool>) {
    return *address != std::byte{0};  // foreign memory need not hold a valid bool
  } else {
    T value;
    std::memcpy(&value, address, sizeof(T));
    return value;
  }
}

template <typename T, bool is_field>
Value run_load(const Code& code, Machine& machine) {
  Memory& memory = *machine.arrays[code.slot];
  const Place place = place_of<is_field>(code, code.b, code.type, memory, machine);
  if (memory.is_tracked() || machine.racing) check_read(memory, place.watched, machine);
  if (!memory.is_local()) machine.bytes_loaded += static_cast<std::int64_t>(sizeof(T));
  return put<T>(read<T>(place.address));
}

template <typename T, StoreOp op>
T combined(T old, T value) {
  if constexpr (op == StoreOp::Set) {
    return value;
  } else if constexpr (std::is_same_v<T, bool>) {
    if constexpr (op == StoreOp::Min) return old && value;
    else return old || value;
  } else if constexpr (op == StoreOp::Add) {
    if constexpr (std::is_integral_v<T>) return wrapping_add(old, value);
    else return old + value;
  } else if constexpr (op == StoreOp::Or) {
    return static_cast<T>(old | value);
  } else if constexpr (op == StoreOp::Min) {
    return value < old ? value : old;
  } else {
    return old < value ? value : old;
  }
}

/// What reads an element to update it is no read beside others' updates: the store tells of those.
void check_written(const Memory& memory, std::int64_t place, Machine& machine) {
  if (!memory.is_written(place)) machine.fail_with("{} at {} is read and was never written", memory.name(), place);
}

template <typename T, bool is_field, StoreOp op>
Flow run_store(const Step& step, Machine& machine) {
  machine.current = step.source;
  Memory& memory = *machine.arrays[step.slot];
  const Place place = place_of<is_field>(step, step.c, step.type, memory, machine);
  const T value = get<T>(step.b->run(*step.b, machine));
  T stored = value;
  if constexpr (op != StoreOp::Set) {
    if (memory.is_tracked()) check_written(memory, place.watched, machine);
    stored = combined<T, op>(read<T>(place.address), value);
    if (!memory.is_local()) machine.bytes_loaded += static_cast<std::int64_t>(sizeof(T));
    machine.operations += operations_of(op);
  }
  const Access access = step.flag ? Access::Atomic : Access::Write;
  if (memory.is_tracked() || machine.racing) check_write(memory, place.watched, access, machine);
  memory.forget_sorted();
  std::memcpy(place.address, &stored, sizeof(T));
  if (!memory.is_local()) machine.bytes_stored += static_cast<std::int64_t>(sizeof(T));
  return Flow::Next;
}

template <typename T, bool is_field>
Step::Run write_of(StoreOp op) {
  switch (op) {
    case StoreOp::Set: return run_store<T, is_field, StoreOp::Set>;
    case StoreOp::Add: return run_store<T, is_field, StoreOp::Add>;
    case StoreOp::Min:
      if constexpr (!is_complex_value<T>) return run_store<T, is_field, StoreOp::Min>;
      break;
    case StoreOp::Max:
      if constexpr (!is_complex_value<T>) return run_store<T, is_field, StoreOp::Max>;
      break;
    case StoreOp::Or:
      if constexpr (std::is_integral_v<T>) return run_store<T, is_field, StoreOp::Or>;
      break;
  }
  throw InternalError(fmt::format("internal error: no such update of {}", type_name(type_of<T>())));
}

}  // namespace

/// Nothing is read, but what a hint names must be there.
Flow run_prefetch(const Step& step, Machine& machine) {
  machine.current = step.source;
  place_of<false>(step, nullptr, step.type, *machine.arrays[step.slot], machine);
  return Flow::Next;
}

Code::Run constant_read() { return run_constant; }
Code::Run variable_read() { return run_variable; }

Code::Run element_read(Type type, bool is_field) {
  return visit_type(type, [&](auto tag) -> Code::Run {
    using T = decltype(tag);
    return is_field ? run_load<T, true> : run_load<T, false>;
  });
}

Step::Run element_write(Type type, bool is_field, StoreOp op) {
  return visit_type(type, [&](auto tag) -> Step::Run {
    using T = decltype(tag);
    return is_field ? write_of<T, true>(op) : write_of<T, false>(op);
  });
}

void check_read(Memory& memory, std::int64_t place, Machine& machine) {
  if (memory.is_tracked()) check_written(memory, place, machine);
  if (!machine.racing) return;
  if (const char* how = memory.touch(place, Access::Read, machine.clock)) {
    machine.fail_with("a race: {} at {} is read by one parallel iteration and {} by another", memory.name(), place,
                      how);
  }
}

void check_write(Memory& memory, std::int64_t place, Access access, Machine& machine) {
  if (memory.is_tracked()) memory.mark_written(place);
  if (!machine.racing) return;
  if (const char* how = memory.touch(place, access, machine.clock)) {
    machine.fail_with("a race: {} at {} is {} by one parallel iteration and {} by another", memory.name(), place,
                      access == Access::Atomic ? "updated atomically" : "written", how);
  }
}

}  // namespace lacuna::loop::interpreter
