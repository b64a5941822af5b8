#include "lacuna/loop/interpret/access.h"
#include "lacuna/loop/interpret/control.h"
#include "lacuna/loop/interpret/machine.h"

namespace lacuna::loop::interpreter {
namespace {

constexpr auto pointer_bytes = static_cast<std::int64_t>(sizeof(void*));

/// The place of a shelf that a move reads and writes.
std::int64_t moved_place(const Step& step, Memory& shelf, Machine& machine) {
  const std::int64_t place = step.a->run(*step.a, machine).i;
  if (!shelf.data()) machine.fail_with("{} has no memory (null) and is indexed", shelf.name());
  if (place < 0 || place >= shelf.count()) {
    machine.fail_with("index {} is outside {}, which has {} elements", place, shelf.name(), shelf.count());
  }
  if (machine.racing) check_write(shelf, place, Access::Write, machine);
  return place;
}

}  // namespace

Flow run_keep(const Step& step, Machine& machine) {
  Memory& array = changed_memory(step, machine);
  Memory& shelf = *machine.arrays[step.other_slot];
  const std::int64_t place = moved_place(step, shelf, machine);
  if (!array.is_owned()) machine.fail_with("{} is put on {} and was not allocated", array.name(), shelf.name());
  if (shelf.kept(place)) machine.fail_with("{} keeps an array at {} already, which would be lost", shelf.name(), place);
  shelf.keep(place, array);
  machine.bytes_stored += pointer_bytes;
  return Flow::Next;
}

Flow run_take(const Step& step, Machine& machine) {
  Memory& array = changed_memory(step, machine);
  Memory& shelf = *machine.arrays[step.other_slot];
  const std::int64_t place = moved_place(step, shelf, machine);
  if (array.is_owned()) {
    machine.fail_with("{} takes an array from {} and its own memory was never released", array.name(), shelf.name());
  }
  if (!shelf.kept(place)) machine.fail_with("{} keeps no array at {}", shelf.name(), place);
  shelf.give_back(place, array);
  machine.bytes_loaded += pointer_bytes;
  return Flow::Next;
}

}  // namespace lacuna::loop::interpreter
