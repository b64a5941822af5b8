#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/engine/engine.h"
#include "lacuna/notation/expr.h"
#include "lacuna/tensor/storage.h"

namespace lacuna::fuzz {

/// One stored entry of an operand, coordinates by mode.
struct Entry {
  std::vector<std::int64_t> coordinate;
  Scalar value;
};

/// An operand as it is drawn and shrunk: what it holds, and how. The entries are in the order in which a format that is
/// not ordered stores them; coordinates repeat only where the format allows it.
struct Operand {
  Format format;
  Type type = Type::Float64;
  std::vector<std::int64_t> dimensions;
  std::vector<Entry> entries;
  // Integer types of the arrays; none: what building chooses.
  std::optional<Type> pos;
  std::optional<Type> crd;
};

/// One drawn evaluation. Everything that shrinking changes is a plain value here.
struct Problem {
  Statement statement;
  std::map<std::string, Operand> operands;
  std::optional<Format> result_format;
  std::optional<Type> result_type;
  std::map<std::string, std::int64_t> extents;  // of every variable, by name
  int threads = 1;
  std::vector<std::string> schedule;  // directives; none: automatic
  bool has_other_library = false;     // a device computes functions, by a library that rounds otherwise
  // Of one that several processors compute:
  std::vector<std::vector<std::int64_t>> machine;  // the sizes of its grids, outermost first; none: as scheduled
  std::map<std::string, std::string> placed;       // where tensors lie: "xy -> x" by name

  const std::string& result() const { return statement.lhs.tensor.name(); }
  bool reads_result() const { return operands.count(result()) > 0; }
  /// Several processors compute it.
  bool is_distributed() const;
};

/// The operand's data in its format, array widths and order. Throws Error when the format cannot hold the entries.
Storage storage_of(const Operand& operand);

/// The request that evaluates the problem. Throws Error when an operand's format cannot hold its entries.
Request request_of(const Problem& problem);

}  // namespace lacuna::fuzz
