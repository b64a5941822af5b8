#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lacuna/dynamic/lower/structure.h"

namespace lacuna::dynamic {

/// The index that the bits of a reference lead to, in the arena of whichever node it is. `reference`: the node or
/// supertype that it is of.
loop::Expr index_of(const Structure& structure, const std::string& reference, const loop::Expr& bits);
/// What is done for each type of node that a reference, which is not null, may lead to.
loop::Stmt by_type(const Structure& structure, const std::string& reference, const loop::Expr& bits,
                   const std::function<loop::Stmt(const NodeRecord&)>& done);

/// Where an element is in a level: a slot (undefined where the field is no array) of a field of a node.
struct Slot {
  std::string node;  // the type of the node
  std::string field;
  loop::Expr index;  // of the node in its arena, UInt32
  loop::Expr slot;
};
/// Sets the value of the element there, in a level of the same nodes as that of the slot: its own, or a copy.
loop::Stmt store_value(const Structure& structure, const Slot& slot, const loop::Expr& value);

/// An element or child field of a node, read slot by slot. The slot is undefined where the field is no array.
struct SlotAccess {
  const Structure& structure;
  const NodeRecord& record;
  const schema::Field& field;
  loop::Expr node;
  loop::Expr position = {};  // of arrays that lie elsewhere, where it has a name

  bool is_array() const { return schema::array_of(field).has_value(); }
  /// How many slots are in use.
  loop::Expr count() const;
  /// Not of an array that stores differences.
  loop::Expr coordinate(const loop::Expr& slot) const { return load(field.name.text + "c", slot); }
  /// By how much the coordinate is behind that of the element before it, in the level's coordinate type.
  loop::Expr difference(const loop::Expr& slot) const {
    return loop::convert(load(field.name.text + "d", slot), structure.types.coordinate);
  }
  loop::Expr value(const loop::Expr& slot) const { return load(field.name.text + "v", slot); }
  /// The bits of a child's reference.
  loop::Expr bits(const loop::Expr& slot) const;
  /// Where the element of a slot is.
  Slot at(const loop::Expr& slot) const {
    return {record.node->name.text, field.name.text, loop::convert(node, Type::UInt32), slot};
  }
  /// Gives the position of an array that lies elsewhere a name, so that it is loaded once for all slots.
  void name_position(const std::function<loop::Var(const std::string&, const loop::IrType&)>& fresh,
                     std::vector<loop::Stmt>& out);

 private:
  friend loop::Stmt store_value(const Structure& structure, const Slot& slot, const loop::Expr& value);
  const Pool* pool(const std::string& member) const;
  loop::Expr first_of(const Pool& from) const;
  loop::Expr load(const std::string& member, const loop::Expr& slot) const;
};

}  // namespace lacuna::dynamic
