#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lacuna/dynamic/code/fill.h"
#include "lacuna/lower/assemble/growth.h"
#include "lacuna/lower/context/context.h"

namespace lacuna {

/// Fills one dynamic level of the result by the functions of its level file, elements coming in the order of their
/// coordinates: appends them where the file can, else builds each root from all of its elements at once, else inserts.
/// Makes room before each call, as docs/decisions/0008-level-functions.md promises.
class NodeFiller {
 public:
  /// Throws Error where the file has none of these functions. `count`: the elements so far, declared elsewhere.
  /// `roots`: how many there will be, 0 where they are made one after the other.
  NodeFiller(Context& context, const TensorVar& tensor, int level, loop::Var count, loop::Expr roots);

  /// Once, before everything: memory for a few nodes, and the roots that are known, empty.
  void begin(Statements& out);
  /// Once, after everything: so many roots are there.
  void end(const loop::Expr& roots, Statements& out);
  /// Makes the roots [first, first + number) empty, with room for them.
  loop::Stmt make_roots(const loop::Expr& first, const loop::Expr& number);

  /// Around the elements of one root.
  loop::Stmt open();
  loop::Stmt close(const loop::Expr& root);
  /// Adds an element behind those that the root has. The count must be raised behind it.
  loop::Stmt add(const loop::Expr& root, const loop::Expr& coordinate, const loop::Expr& value);
  /// Of a value: a scalar, or for the levels above another the position or root that the element leads to.
  loop::Expr value_of_child(const loop::Expr& position) const;

 private:
  using Way = schema::FillWay;

  const dynamic::Structure& structure() const { return level_.structure(); }
  loop::Expr root_at(const loop::Expr& position) const;
  loop::Stmt room(const dynamic::Need& need);
  Statements room(const std::vector<dynamic::Need>& needs);
  void declare_buffers();
  loop::Stmt clear_roots(const loop::Expr& first, const loop::Expr& number);
  Statements make_heads(const loop::Expr& first, const loop::Expr& past);

  Context& context_;
  const dynamic::DynamicLevel& level_;
  std::string name_;
  loop::Var count_;
  loop::Expr roots_;
  Way way_ = Way::Append;
  std::optional<loop::Var> begin_;  // Append: the elements when the root was opened
  // Build: the elements of the root at hand.
  std::optional<loop::Var> buffered_, coordinates_, values_;
  std::optional<GrowingArrays> buffers_;
};

}  // namespace lacuna
