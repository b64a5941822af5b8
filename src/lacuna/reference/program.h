#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lacuna/notation/check.h"
#include "lacuna/reference/coordinate_map.h"

namespace lacuna::reference {

class Join;

/// The values of all variables of a term at one point, by slot. Every sum has a slot of its own, whatever its name.
using Point = std::vector<std::int64_t>;

/// An expression bound to tensors and slots.
struct Program {
  Expr expr;  // the node that this is of
  Type type = Type::Float64;
  std::vector<Program> children;
  const CoordinateMap* entries = nullptr;  // of an access
  std::vector<int> slots;                  // an access's indices; the variable of an index value or a sum
  std::shared_ptr<const Join> join;        // of a sum: the values of its variable at which the body may be present
};

using MapsByName = std::map<std::string, CoordinateMap>;

/// Binds the terms of one statement.
class ProgramBuilder {
 public:
  ProgramBuilder(const MapsByName& entries, const FactsByName& facts,
                 const std::map<IndexVar, std::int64_t>& dimensions)
      : entries_(entries), facts_(facts), dimensions_(dimensions) {}

  /// `variables` get the slots 0, 1, … and have to hold every free variable of e.
  Program build(const Expr& e, const std::vector<IndexVar>& variables);
  /// The extent of every slot of the program built last.
  const std::vector<std::int64_t>& extents() const { return extents_; }

 private:
  using Scope = std::map<IndexVar, int>;
  int new_slot(const IndexVar& var);
  Program bind(const Expr& e, const Scope& scope);
  Program bind_sum(const Expr& e, Scope scope);

  const MapsByName& entries_;
  const FactsByName& facts_;
  const std::map<IndexVar, std::int64_t>& dimensions_;
  std::vector<std::int64_t> extents_;
};

}  // namespace lacuna::reference
