#pragma once

#include <string>
#include <vector>

#include "lacuna/loop/ir.h"

namespace lacuna {

/// Which field of an argument's storage descriptor a kernel parameter is.
enum class DescriptorField : std::uint8_t {
  Pos,
  Crd,
  Present,
  Values,
  Origin,
  Extent,
  Positions,
  PosBase,
  CrdBase,
  ValuesBase,
  ValuesSize,  // how many there are
  Nodes,       // of a dynamic level: one of the arrays that schema::MemoryLayout names
  Threads      // of no argument: how many threads the kernel is called with
};

/// The tensor side of one parameter of the module: module.parameters[k] is field slots[k].field of level slots[k].level
/// of argument slots[k].argument (results, then operands, in the program's order); Threads has neither.
struct Slot {
  int argument = 0;
  int level = 0;  // 0 for Values
  DescriptorField field = DescriptorField::Values;
  std::size_t array = 0;  // of Nodes
};

/// How a result is to be finished.
struct LoweredResult {
  bool drops_zeros = false;       // Stream: entries that come to zero are not stored
  bool flags_in_present = false;  // Stream: levels[0].present says which entries are structural
};

/// A lowered program.
struct Lowered {
  loop::Module module;
  std::vector<Slot> slots;
  std::string iterators;               // for `show --stage iterators`: how walks over nodes come about, step by step
  std::vector<LoweredResult> results;  // in the program's order
};

struct LowerOptions {
  /// Parallel loops over fewer entries than this are left to one thread where entries are all their work: starting
  /// others would take longer. 0: all loops are shared out, so that checks see shares of small tensors, too.
  std::int64_t entries_worth_threads = 0;
  /// Loops run on a device: it has a thread for each iteration, and arrays that are appended to do not grow, but are
  /// made as large as a first pass says.
  bool device = false;
};

}  // namespace lacuna
