#include "lacuna/dynamic/lower/structure.h"

#include <algorithm>

#include "lacuna/dynamic/schema/properties.h"
#include "lacuna/loop/layout.h"
#include "lacuna/support/check.h"

namespace lacuna::dynamic {
namespace {

using loop::IrType;
using loop::Record;
using loop::scalar_type;
using schema::CodeType;
using schema::MemoryLayout;

std::shared_ptr<Record> make_record(std::string name) {
  auto record = std::make_shared<Record>();
  record->name = std::move(name);
  return record;
}

MemoryLayout layout_for(const schema::NodeSchema& schema, const LevelTypes& types) {
  return MemoryLayout(schema, {types.coordinate, types.value.is_ref() ? Type::UInt32 : types.value.scalar});
}

/// Adds fields to a record under names that C accepts.
class RecordWriter {
 public:
  explicit RecordWriter(Record& record) : record_(record) {}

  std::string add(const std::string& wanted, IrType type, std::int64_t count = 0) {
    std::string name = names_.unique(wanted);
    record_.fields.push_back({name, std::move(type), count});
    return name;
  }

 private:
  Record& record_;
  loop::NameSupply names_;
};

/// That what is compiled finds the fields where the layout says they are.
void check_offsets(const Record& record, const schema::MemoryRecord& expected) {
  const loop::RecordLayout layout = loop::record_layout(record);
  bool same = layout.size == expected.size && layout.fields.size() == expected.fields.size();
  for (std::size_t k = 0; same && k < layout.fields.size(); ++k)
    same = layout.fields[k].offset == expected.fields[k].offset;
  internal_check(same, "the record {} has two layouts", record.name);
}

}  // namespace

Structure::Structure(const schema::NodeSchema& of_schema, const schema::LevelProgram& program, LevelTypes of_types,
                     loop::NameSupply& names)
    : schema(of_schema), types(std::move(of_types)), layout(layout_for(of_schema, types)) {
  for (const schema::NodeLayout& each : layout.nodes) {
    const std::string name = types.prefixed(each.node->name.text);
    auto record = make_record(names.unique(name));
    const loop::Var arena(names.unique(name + "_nodes"), loop::arena_type(record));
    nodes.push_back({each.node, record, arena, {}, each.sizes, each.tag, {}, {}, {}, {}});
  }
  std::map<std::string, std::string> renamed;
  memory_record = make_record(names.unique(types.prefixed("memory_record")));
  RecordWriter memory_fields(*memory_record);
  for (const schema::MemoryField& field : layout.memory.fields)
    renamed[field.name] = memory_fields.add(field.name, scalar_type(field.slot.type), field.count);
  full = renamed.at(layout.full);
  largest = renamed.at(layout.largest);
  check_offsets(*memory_record, layout.memory);

  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const schema::NodeLayout& from = layout.nodes[k];
    nodes[k].next = renamed.at(from.in_use.next);
    nodes[k].limit = renamed.at(from.in_use.limit);
    nodes[k].free = renamed.at(from.in_use.free);
    RecordWriter fields(*nodes[k].record);
    for (const schema::MemoryField& field : from.record.fields)
      nodes[k].fields[field.name] = fields.add(field.name, type_of_slot(field.slot), field.count);
    nodes[k].link = nodes[k].fields.at(from.link);
    check_offsets(*nodes[k].record, from.record);
  }
  for (const schema::PoolLayout& from : layout.pools) {
    Pool pool{from.node, from.size, node(from.node).fields.at(from.position), {}, {}, {}, {}};
    pool.next = renamed.at(from.in_use.next);
    pool.limit = renamed.at(from.in_use.limit);
    pool.free = renamed.at(from.in_use.free);
    for (const auto& [member, array] : from.members) {
      const IrType type = type_of_slot(array.slot);
      const IrType array_type = type.is_ref() ? loop::ref_array_type(type.record) : loop::array_type(type.scalar);
      pool.arrays.emplace(member, loop::Var(names.unique(types.prefixed(from.node + "_" + member)), array_type));
    }
    pools.push_back(std::move(pool));
  }
  memory.emplace_back(names.unique(types.prefixed("memory")), loop::arena_type(memory_record));
  add_state(program, names);
}

/// A reference to a supertype holds the tag, too, so that it is known which arena it leads to.
IrType Structure::type_of_slot(const schema::SlotType& slot) const {
  if (slot.is_value) return types.value;
  if (slot.target.empty() || is_supertype(schema, slot.target)) return scalar_type(slot.type);
  return loop::link_type(*node(slot.target).record);
}

void Structure::add_state(const schema::LevelProgram& program, loop::NameSupply& names) {
  if (program.state.empty()) return;
  state_record = make_record(names.unique(types.prefixed("state_record")));
  RecordWriter fields(*state_record);
  for (const schema::Variable& each : program.state) {
    const IrType type = type_of(each.type);
    state_fields[each.name.text] = fields.add(each.name.text, type.is_ref() ? loop::link_type(*type.record) : type);
  }
  state.emplace_back(names.unique(types.prefixed("state")), loop::arena_type(state_record));
}

loop::Var Structure::array(std::size_t index) const {
  if (index == 0) return memory.front();
  if (index <= nodes.size()) return nodes[index - 1].arena;
  for (std::size_t k = 0; k < pools.size(); ++k) {
    for (const auto& [member, from] : layout.pools[k].members)
      if (from.array == index) return pools[k].arrays.at(member);
  }
  throw InternalError("internal error: a level's memory has fewer arrays");
}

const NodeRecord& Structure::node(const std::string& name) const {
  const auto found =
      std::find_if(nodes.begin(), nodes.end(), [&](const NodeRecord& each) { return each.node->name.text == name; });
  internal_check(found != nodes.end(), "there is no node {}", name);
  return *found;
}

const NodeRecord& Structure::root() const { return node(schema::root_of(schema).name.text); }

loop::Expr Structure::memory_field(const std::string& field) const {
  return loop::convert(loop::load(memory.front(), loop::Expr(0), {field, {}}), Type::Int64);
}

loop::Stmt Structure::set_memory_field(const std::string& field, const loop::Expr& value) const {
  return loop::store(memory.front(), loop::Expr(0), {field, {}}, loop::convert(value, Type::UInt32));
}

const Pool& Structure::pool(const std::string& node, const std::string& size) const {
  const auto found = std::find_if(pools.begin(), pools.end(),
                                  [&](const Pool& each) { return each.node == node && each.size == size; });
  internal_check(found != pools.end(), "there is no pool for {}.{}", node, size);
  return *found;
}

IrType Structure::type_of(const CodeType& type) const {
  switch (type.kind) {
    case CodeType::Kind::Bool: return scalar_type(Type::Bool);
    case CodeType::Kind::Int:
    case CodeType::Kind::Place: return scalar_type(Type::Int64);
    case CodeType::Kind::Coord: return scalar_type(types.coordinate);
    case CodeType::Kind::Value: return types.value;
    case CodeType::Kind::Node: return loop::ref_type(node(type.name).record);
    case CodeType::Kind::Supertype: return scalar_type(Type::UInt32);
    default: return {};
  }
}

std::vector<loop::Var> Structure::memory_of(const schema::Effects& effects) const {
  std::vector<loop::Var> vars;
  for (const NodeRecord& each : nodes) {
    if (effects.nodes.contains(each.node->name.text)) vars.push_back(each.arena);
  }
  for (const Pool& each : pools) {
    if (!effects.arrays.contains(each.node + "." + each.size)) continue;
    for (const auto& [member, array] : each.arrays) vars.push_back(array);
  }
  if (effects.memory) vars.push_back(memory.front());
  if (effects.state) vars.push_back(state.front());
  return vars;
}

std::vector<loop::Var> Structure::all_memory() const {
  schema::Effects all;
  for (const NodeRecord& each : nodes) all.nodes.insert(each.node->name.text);
  for (const Pool& each : pools) all.arrays.insert(each.node + "." + each.size);
  all.memory = true;
  all.state = !state.empty();
  return memory_of(all);
}

std::vector<std::shared_ptr<const Record>> Structure::records() const {
  std::vector<std::shared_ptr<const Record>> records;
  for (const NodeRecord& each : nodes) records.push_back(each.record);
  records.push_back(memory_record);
  if (state_record) records.push_back(state_record);
  return records;
}

}  // namespace lacuna::dynamic
