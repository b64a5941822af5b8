#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "lacuna/loop/interpret/access.h"
#include "lacuna/support/check.h"

// Operations on a range [low, high) of an array: search, sort and fill.
namespace lacuna::loop::interpreter {
namespace {

struct Range {
  std::int64_t low;
  std::int64_t high;
  std::int64_t size() const { return high - low; }
};

/// An empty range may lie anywhere, for nothing of it is touched; the array may then be null.
Range checked_range(Value low, Value high, const Memory& memory, Machine& machine) {
  const Range range{low.i, high.i};
  const bool inside = range.low >= 0 && range.high <= memory.count();
  if (range.low > range.high || (range.size() > 0 && !inside)) {
    machine.fail_with("the range [{}, {}) is not inside {}, which has {} elements", range.low, range.high,
                      memory.name(), memory.count());
  }
  return range;
}

template <typename T>
T element(const Memory& memory, std::int64_t index) {
  T value;
  std::memcpy(&value, memory.data() + index * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
  return value;
}

template <typename T>
void check_ascends(Memory& memory, const Range& range, Machine& machine) {
  if (memory.is_known_sorted(range.low, range.high)) return;
  for (std::int64_t p = range.low; p < range.high; p++) {
    if (memory.is_tracked()) check_read(memory, p, machine);
    if (p == range.low || !(element<T>(memory, p) < element<T>(memory, p - 1))) continue;
    machine.fail_with("{} is searched in [{}, {}) but descends at {}", memory.name(), range.low, range.high, p);
  }
  memory.know_sorted(range.low, range.high);
}

/// Whether the element is less than the key; counted as a look at memory.
template <typename T>
bool is_less(Memory& memory, std::int64_t place, std::int64_t key, Machine& machine) {
  if (machine.racing) check_read(memory, place, machine);
  machine.bytes_loaded += static_cast<std::int64_t>(sizeof(T));
  return std::cmp_less(element<T>(memory, place), key);
}

/// The part of the range that the steps of a near search leave to be halved.
template <typename T>
Range galloped(Range range, Memory& memory, std::int64_t key, Machine& machine) {
  std::int64_t step = 1;
  for (; step <= range.size(); step *= 2) {
    if (!is_less<T>(memory, range.low + step - 1, key, machine)) return {range.low, range.low + step - 1};
    range.low += step;
  }
  return range;
}

template <typename T, bool near>
Value run_search(const Code& code, Machine& machine) {
  const Value from = code.a->run(*code.a, machine);
  const Value to = code.b->run(*code.b, machine);
  const std::int64_t key = code.c->run(*code.c, machine).i;
  Memory& memory = *machine.arrays[code.slot];
  Range range = checked_range(from, to, memory, machine);
  check_ascends<T>(memory, range, machine);
  if constexpr (near) range = galloped<T>(range, memory, key, machine);
  while (range.size() > 0) {
    const std::int64_t middle = range.low + range.size() / 2;
    if (is_less<T>(memory, middle, key, machine)) range.low = middle + 1;
    else range.high = middle;
  }
  return put(range.low);
}

template <typename T>
Flow run_sort(const Step& step, Machine& machine) {
  machine.current = step.source;
  const Value low = step.a->run(*step.a, machine);
  const Value high = step.b->run(*step.b, machine);
  Memory& memory = *machine.arrays[step.slot];
  const Range range = checked_range(low, high, memory, machine);
  std::vector<T> values;
  for (std::int64_t p = range.low; p < range.high; p++) {
    if (memory.is_tracked()) check_read(memory, p, machine);
    if (machine.racing) check_write(memory, p, Access::Write, machine);
    values.push_back(element<T>(memory, p));
  }
  std::sort(values.begin(), values.end());
  for (std::int64_t p = range.low; p < range.high; p++) {
    const T value = values[static_cast<std::size_t>(p - range.low)];
    std::memcpy(memory.data() + p * static_cast<std::int64_t>(sizeof(T)), &value, sizeof(T));
  }
  const std::int64_t bytes = range.size() * static_cast<std::int64_t>(sizeof(T));
  machine.bytes_loaded += bytes;
  machine.bytes_stored += bytes;
  memory.forget_sorted();
  return Flow::Next;
}

/// Sorts, and checks that what is sorted is what is marked.
template <typename T>
Flow run_sort_marked(const Step& step, Machine& machine) {
  run_sort<T>(step, machine);
  const Memory& list = *machine.arrays[step.slot];
  Memory& marks = *machine.arrays[step.other_slot];
  const Range places = checked_range(Value{}, step.c->run(*step.c, machine), marks, machine);
  const std::int64_t count = step.b->run(*step.b, machine).i;
  std::int64_t found = 0;
  for (std::int64_t p = 0; p < places.high; p++) {
    if (marks.is_tracked()) check_read(marks, p, machine);
    if (element<std::uint8_t>(marks, p) == 0) continue;
    if (found == count || !std::cmp_equal(element<T>(list, found), p))
      machine.fail_with("{} does not list what is marked in {}: {} is", list.name(), marks.name(), p);
    found++;
  }
  if (found < count)
    machine.fail_with("{} lists {} places, but {} has {} marks", list.name(), count, marks.name(), found);
  return Flow::Next;
}

template <typename T>
Flow run_fill(const Step& step, Machine& machine) {
  machine.current = step.source;
  const Value low = step.a->run(*step.a, machine);
  const Value high = step.b->run(*step.b, machine);
  const T value = get<T>(step.c->run(*step.c, machine));
  Memory& memory = *machine.arrays[step.slot];
  const Range range = checked_range(low, high, memory, machine);
  const bool watched = memory.is_tracked() || machine.racing;
  for (std::int64_t p = range.low; p < range.high; p++) {
    if (watched) check_write(memory, p, Access::Write, machine);
    std::memcpy(memory.data() + p * static_cast<std::int64_t>(sizeof(T)), &value, sizeof(T));
  }
  machine.bytes_stored += range.size() * static_cast<std::int64_t>(sizeof(T));
  memory.forget_sorted();
  return Flow::Next;
}

}  // namespace

Code::Run search(Type type, bool near) {
  return visit_type(type, [&](auto tag) -> Code::Run {
    using T = decltype(tag);
    if constexpr (!std::is_integral_v<T> || std::is_same_v<T, bool>)
      throw InternalError("internal error: only integers are searched");
    else return near ? run_search<T, true> : run_search<T, false>;
  });
}

Step::Run range_sort(Type type) {
  return visit_type(type, [&](auto tag) -> Step::Run {
    using T = decltype(tag);
    if constexpr (!std::is_integral_v<T>) throw InternalError("internal error: only integers are sorted");
    else if constexpr (std::is_same_v<T, bool>) return run_sort<std::uint8_t>;
    else return run_sort<T>;
  });
}

Step::Run sort_marked(Type type) {
  internal_check(type == Type::Int32 || type == Type::Int64, "places are sorted as {}", type_name(type));
  return type == Type::Int32 ? run_sort_marked<std::int32_t> : run_sort_marked<std::int64_t>;
}

Step::Run range_fill(Type type) {
  return visit_type(type, [](auto tag) -> Step::Run { return run_fill<decltype(tag)>; });
}

}  // namespace lacuna::loop::interpreter
