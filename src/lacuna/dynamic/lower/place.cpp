#include "lacuna/dynamic/lower/place.h"

#include "lacuna/dynamic/schema/properties.h"
#include "lacuna/support/error.h"

namespace lacuna::dynamic {
namespace {

using loop::BinaryOp;
using loop::Expr;
using loop::value_op;

int bits_for(std::int64_t count) {
  int bits = 0;
  while ((std::int64_t{1} << bits) < count) bits++;
  return bits;
}

/// An element field of a node.
struct Slots {
  const NodeRecord& node;
  const schema::Field& field;
  bool elsewhere;
  int slot_bits;
};

std::vector<Slots> all_slots(const Structure& structure) {
  std::vector<Slots> all;
  for (const NodeRecord& each : structure.nodes) {
    for (const schema::Field* field : schema::element_fields(*each.node)) {
      const auto capacity = schema::capacity_of(*each.node, *field);
      const bool array = schema::array_of(*field).has_value();
      all.push_back({each, *field, array && !capacity, array && capacity ? bits_for(*capacity) : 0});
    }
  }
  return all;
}

Expr shifted(BinaryOp op, const Expr& a, int bits) { return bits == 0 ? a : value_op(op, a, std::int64_t{bits}); }
Expr low_bits(const Expr& a, int bits) { return loop::bit_and(a, (std::int64_t{1} << bits) - 1); }

Expr position_of(const Structure& structure, const Slots& slots, const Expr& node, const Expr& slot) {
  const Pool& pool = structure.pool(slots.node.node->name.text, slots.node.sizes.at(slots.field.name.text + "v"));
  return loop::convert(loop::load(slots.node.arena, node, {pool.position, {}}), Type::Int64) + slot;
}

/// Where a place of one field is.
struct ElementAtPlace {
  const Structure& structure;
  const Slots& slots;
  Expr index;  // of the place without its low bits

  loop::Var array(const char* part) const {
    const std::string member = slots.field.name.text + part;
    return structure.pool(slots.node.node->name.text, slots.node.sizes.at(member)).arrays.at(member);
  }
  Expr node() const { return loop::as_ref(shifted(BinaryOp::ShiftRight, index, slots.slot_bits), slots.node.record); }
  loop::Member member(const char* part) const {
    const bool is_array = schema::array_of(slots.field).has_value();
    return {slots.node.fields.at(slots.field.name.text + part), is_array ? low_bits(index, slots.slot_bits) : Expr()};
  }
  Expr load(const char* part) const {
    if (slots.elsewhere) return loop::load(array(part), index);
    return loop::load(slots.node.arena, node(), member(part));
  }
  loop::Stmt store(const Expr& value) const {
    if (slots.elsewhere) return loop::store(array("v"), index, value);
    return loop::store(slots.node.arena, node(), member("v"), value);
  }
};

ElementAtPlace element_of(const Structure& structure, const std::vector<Slots>& all, std::size_t k,
                          const loop::Var& place) {
  return {structure, all[k], shifted(BinaryOp::ShiftRight, place, 1 + bits_for(static_cast<std::int64_t>(all.size())))};
}

/// Whether the place is in the kth of `count` fields.
Expr is_in(std::size_t k, std::size_t count, const loop::Var& place) {
  const int bits = bits_for(static_cast<std::int64_t>(count));
  return loop::eq(low_bits(shifted(BinaryOp::ShiftRight, place, 1), bits), static_cast<std::int64_t>(k));
}

/// `of` an element field of a node, for the one that the place is in.
template <typename Part>
Expr by_field(const Structure& structure, const loop::Var& place, const Part& of) {
  const std::vector<Slots> all = all_slots(structure);
  Expr found = of(element_of(structure, all, 0, place));
  for (std::size_t k = 1; k < all.size(); k++)
    found = loop::select(is_in(k, all.size(), place), of(element_of(structure, all, k, place)), found);
  return found;
}

}  // namespace

Expr place_of(const Structure& structure, const std::string& node_name, const std::string& field, const Expr& node,
              const Expr& slot, bool added) {
  const std::vector<Slots> all = all_slots(structure);
  for (std::size_t k = 0; k < all.size(); k++) {
    const Slots& slots = all[k];
    if (slots.node.node->name.text != node_name || slots.field.name.text != field) continue;
    Expr index = slots.elsewhere ? position_of(structure, slots, node, slot) : loop::convert(node, Type::Int64);
    if (slots.slot_bits > 0) {
      index = value_op(BinaryOp::BitOr, shifted(BinaryOp::ShiftLeft, index, slots.slot_bits), slot);
    }
    const int field_bits = bits_for(static_cast<std::int64_t>(all.size()));
    const Expr high = shifted(BinaryOp::ShiftLeft, index, 1 + field_bits);
    const std::int64_t low = static_cast<std::int64_t>(2 * k) + (added ? 1 : 0);
    return low == 0 ? high : value_op(BinaryOp::BitOr, high, low);
  }
  throw InternalError("internal error: there is no element field " + node_name + "." + field);
}

Expr is_nothing(const Expr& place) { return loop::eq(place, nothing); }
Expr is_added(const Expr& place) { return loop::ne(low_bits(place, 1), std::int64_t{0}); }

Expr coordinate_at(const Structure& structure, const loop::Var& place) {
  return by_field(structure, place, [&](const ElementAtPlace& e) {
    return schema::differences_of(e.slots.field) ? loop::constant(structure.types.coordinate, -1) : e.load("c");
  });
}

Expr value_at(const Structure& structure, const loop::Var& place) {
  return by_field(structure, place, [](const ElementAtPlace& e) { return e.load("v"); });
}

loop::Stmt store_value(const Structure& structure, const loop::Var& place, const Expr& value) {
  const std::vector<Slots> all = all_slots(structure);
  loop::Stmt stored = element_of(structure, all, 0, place).store(value);
  for (std::size_t k = 1; k < all.size(); k++) {
    stored = loop::if_then(is_in(k, all.size(), place), element_of(structure, all, k, place).store(value), stored);
  }
  return stored;
}

}  // namespace lacuna::dynamic
