#include "lacuna/dynamic/lower/node_access.h"

#include "lacuna/dynamic/schema/references.h"

namespace lacuna::dynamic {

using loop::Expr;

namespace {

/// How many low bits of a reference tell the type of the node.
int tag_bits_of(const Structure& structure, const std::string& reference) {
  const bool supertype = schema::is_supertype(structure.schema, reference);
  return supertype ? schema::tag_bits(structure.schema, reference) : 0;
}

}  // namespace

Expr index_of(const Structure& structure, const std::string& reference, const Expr& bits) {
  const int tag_bits = tag_bits_of(structure, reference);
  if (tag_bits == 0) return bits;
  return loop::value_op(loop::BinaryOp::ShiftRight, bits, loop::constant(Type::UInt32, tag_bits));
}

loop::Stmt by_type(const Structure& structure, const std::string& reference, const Expr& bits,
                   const std::function<loop::Stmt(const NodeRecord&)>& done) {
  const std::int64_t tags = (std::int64_t{1} << tag_bits_of(structure, reference)) - 1;
  const Expr tag = loop::bit_and(bits, loop::constant(Type::UInt32, tags));
  loop::Stmt cases;
  const std::vector<std::size_t> targets = schema::targets_of(structure.schema, {{reference, {}}, {}, false});
  for (auto t = targets.rbegin(); t != targets.rend(); ++t) {
    const NodeRecord& record = structure.nodes[*t];
    const loop::Stmt here = done(record);
    cases =
        cases == nullptr ? here : loop::if_then(loop::eq(tag, loop::constant(Type::UInt32, record.tag)), here, cases);
  }
  return cases;
}

Expr SlotAccess::count() const {
  const auto array = schema::array_of(field);
  if (!array) return Expr(1);
  if (const auto* number = std::get_if<schema::Number>(&*array)) return Expr(number->value);
  const std::string& size = record.fields.at(std::get<schema::Name>(*array).text);
  return loop::convert(loop::load(record.arena, node, {size, {}}), Type::Int64);
}

Expr SlotAccess::bits(const Expr& slot) const { return loop::convert(load(field.name.text, slot), Type::UInt32); }

void SlotAccess::name_position(const std::function<loop::Var(const std::string&, const loop::IrType&)>& fresh,
                               std::vector<loop::Stmt>& out) {
  const Pool* const from = pool(field.name.text + "v");
  if (from == nullptr) return;
  const loop::Var first = fresh(field.name.text + "_first", loop::scalar_type(Type::Int64));
  out.push_back(loop::declare(first, first_of(*from)));
  position = first;
}

loop::Stmt store_value(const Structure& structure, const Slot& slot, const Expr& value) {
  const NodeRecord& record = structure.node(slot.node);
  const SlotAccess access{structure, record, *schema::find_field(*record.node, slot.field),
                          loop::as_ref(slot.index, record.record)};
  const std::string member = slot.field + "v";
  if (const Pool* const from = access.pool(member))
    return loop::store(from->arrays.at(member), access.first_of(*from) + slot.slot, value);
  return loop::store(record.arena, access.node, {record.fields.at(member), slot.slot}, value);
}

/// Where the slots of a member lie, if not in the node.
const Pool* SlotAccess::pool(const std::string& member) const {
  const auto elsewhere = record.sizes.find(member);
  return elsewhere == record.sizes.end() ? nullptr : &structure.pool(record.node->name.text, elsewhere->second);
}

Expr SlotAccess::first_of(const Pool& from) const {
  return loop::convert(loop::load(record.arena, node, {from.position, {}}), Type::Int64);
}

Expr SlotAccess::load(const std::string& member, const Expr& slot) const {
  if (const Pool* const from = pool(member))
    return loop::load(from->arrays.at(member), (position.defined() ? position : first_of(*from)) + slot);
  return loop::load(record.arena, node, {record.fields.at(member), is_array() ? slot : Expr()});
}

}  // namespace lacuna::dynamic
