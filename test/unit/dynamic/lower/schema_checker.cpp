#include "unit/dynamic/lower/schema_checker.h"

#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

#include "lacuna/dynamic/schema/properties.h"

namespace lacuna::dynamic {
namespace {

std::int64_t class_of(std::int64_t count) {
  std::int64_t k = 0;
  for (std::int64_t room = 0; room < count; room = std::max<std::int64_t>(1, 2 * room)) k++;
  return k;
}
std::int64_t room_of(std::int64_t size_class) { return size_class == 0 ? 0 : std::int64_t{1} << (size_class - 1); }

}  // namespace

std::int64_t SchemaChecker::integer(const NodeRecord& node, std::uint32_t index, const std::string& member,
                                    std::int64_t slot) const {
  const auto elsewhere = node.sizes.find(member);
  if (elsewhere == node.sizes.end()) {
    return integer_at(*node.record, machine_.memory(node.arena), index, node.fields.at(member), slot);
  }
  const Pool& pool = machine_.structure().pool(node.node->name.text, elsewhere->second);
  const loop::Var& array = pool.arrays.at(member);
  const std::int64_t at = integer_at(*node.record, machine_.memory(node.arena), index, pool.position) + slot;
  const Type type = element_type(array.type()).is_ref() ? Type::UInt32 : array.type().scalar;
  return Scalar::load(type, &machine_.memory(array).at(static_cast<std::size_t>(at * size_of(type))))
      .as<std::int64_t>();
}

double SchemaChecker::real(const NodeRecord& node, std::uint32_t index, const std::string& member,
                           std::int64_t slot) const {
  const auto elsewhere = node.sizes.find(member);
  if (elsewhere == node.sizes.end()) {
    return real_at(*node.record, machine_.memory(node.arena), index, node.fields.at(member), slot);
  }
  const Pool& pool = machine_.structure().pool(node.node->name.text, elsewhere->second);
  const std::int64_t at = integer_at(*node.record, machine_.memory(node.arena), index, pool.position) + slot;
  return Scalar::load(Type::Float64, &machine_.memory(pool.arrays.at(member)).at(static_cast<std::size_t>(at * 8)))
      .as<double>();
}

std::int64_t SchemaChecker::slots_of(const NodeRecord& node, std::uint32_t index, const schema::Field& field) const {
  const auto array = schema::array_of(field);
  if (!array) return 1;
  if (const auto* number = std::get_if<schema::Number>(&*array)) return number->value;
  return integer(node, index, std::get<schema::Name>(*array).text, 0);
}

void SchemaChecker::check_sizes(const NodeRecord& node, std::uint32_t index) {
  for (const schema::Field& field : node.node->fields) {
    const auto* size = std::get_if<schema::SizeField>(&field.type);
    if (size == nullptr) continue;
    const std::int64_t value = integer(node, index, field.name.text, 0);
    EXPECT_GE(value, size->range ? size->range->least.value : 0) << node.node->name.text;
    const bool bounded = size->range && size->range->most;
    EXPECT_LE(value, bounded ? size->range->most->value : value) << node.node->name.text;
  }
  for (const Pool& pool : machine_.structure().pools) {
    if (pool.node != node.node->name.text) continue;
    const std::int64_t count = integer(node, index, pool.size, 0);
    const std::int64_t least = machine_.structure().layout.pool(pool.node, pool.size).link_slots();
    const std::int64_t room = room_of(class_of(count == 0 ? 0 : std::max(count, least)));
    const std::int64_t at = integer_at(*node.record, machine_.memory(node.arena), index, pool.position);
    if (room > 0) segments_[pool.free].emplace_back(at, room);
  }
}

std::uint32_t SchemaChecker::reference_to(const NodeRecord& node, std::uint32_t index) const {
  if (!node.node->supertype) return index;
  return (index << schema::tag_bits(machine_.schema(), node.node->supertype->text)) | node.tag;
}

void SchemaChecker::check_parent(const NodeRecord& node, std::uint32_t index, const NodeRecord* above,
                                 std::uint32_t above_index) {
  for (const schema::Field& field : node.node->fields) {
    if (!std::holds_alternative<schema::ParentField>(field.type)) continue;
    const bool same =
        above != nullptr &&
        (above == &node || (node.node->supertype.has_value() && above->node->supertype == node.node->supertype));
    EXPECT_EQ(integer(node, index, field.name.text, 0), same ? reference_to(*above, above_index) : loop::null_ref_bits);
  }
}

void SchemaChecker::visit(const NodeRecord& node, std::uint32_t index, const NodeRecord* above,
                          std::uint32_t above_index) {
  ASSERT_TRUE(reached_[node.node->name.text].insert(index).second) << node.node->name.text << " is reached twice";
  check_sizes(node, index);
  check_parent(node, index, above, above_index);
  std::vector<schema::SequenceEntry> sequence = schema::sequence_of(*node.node);
  if (sequence.empty()) {
    for (const schema::Field& field : node.node->fields) {
      if (is_element(field) || is_child(field)) sequence.push_back({{field.name}, false});
    }
  }
  for (const schema::SequenceEntry& entry : sequence) {
    const std::int64_t slots = slots_of(node, index, *find_field(*node.node, entry.fields[0].text));
    for (std::int64_t k = 0; k < slots; k++) {
      for (const schema::Name& name : entry.fields) visit_field(node, index, *find_field(*node.node, name.text), k);
    }
  }
}

void SchemaChecker::visit_field(const NodeRecord& node, std::uint32_t index, const schema::Field& field,
                                std::int64_t slot) {
  if (is_child(field)) {
    visit_child(node, index, field, slot);
    return;
  }
  const bool sum = schema::differences_of(field).has_value();
  const std::int64_t coordinate = sum ? entries_.back().first + integer(node, index, field.name.text + "d", slot)
                                      : integer(node, index, field.name.text + "c", slot);
  EXPECT_TRUE(coordinate >= 0 || !is_nonempty(field)) << node.node->name.text << "." << field.name.text;
  if (coordinate >= 0) entries_.emplace_back(coordinate, real(node, index, field.name.text + "v", slot));
}

void SchemaChecker::visit_child(const NodeRecord& node, std::uint32_t index, const schema::Field& field,
                                std::int64_t slot) {
  const auto reference = static_cast<std::uint32_t>(integer(node, index, field.name.text, slot));
  if (reference == loop::null_ref_bits) {
    EXPECT_FALSE(is_nonempty(field)) << node.node->name.text << "." << field.name.text;
    return;
  }
  const std::string& target = std::get<schema::ChildField>(field.type).type.text;
  if (!is_supertype(machine_.schema(), target)) {
    visit(machine_.structure().node(target), reference, &node, index);
    return;
  }
  const int bits = schema::tag_bits(machine_.schema(), target);
  for (const NodeRecord& each : machine_.structure().nodes) {
    const bool is_it =
        each.node->supertype && each.node->supertype->text == target && each.tag == (reference & ((1U << bits) - 1));
    if (is_it) return visit(each, reference >> bits, &node, index);
  }
  ADD_FAILURE() << "a reference to " << target << " has the tag of no node";
}

void SchemaChecker::check_memory() {
  for (const NodeRecord& each : machine_.structure().nodes) {
    std::set<std::uint32_t>& reached = reached_[each.node->name.text];
    auto next = static_cast<std::uint32_t>(machine_.memory_field(each.free));
    while (next != 0) {
      ASSERT_TRUE(reached.insert(next - 1).second) << each.node->name.text << " was deleted and is reached";
      const std::int64_t link = integer_at(*each.record, machine_.memory(each.arena), next - 1, each.link);
      next = static_cast<std::uint32_t>(link) + 1;  // null has all bits set
    }
    EXPECT_EQ(static_cast<std::int64_t>(reached.size()), machine_.memory_field(each.next)) << each.node->name.text;
  }
  for (const Pool& pool : machine_.structure().pools) {
    auto& segments = segments_[pool.free];
    const schema::PoolLayout& layout = machine_.structure().layout.pool(pool.node, pool.size);
    const std::vector<std::byte>& array = machine_.memory(machine_.structure().array(layout.link().array));
    const std::int64_t width = size_of(layout.link().slot.type);
    for (std::int64_t k = 1; k < segment_classes; k++) {
      std::int64_t next = machine_.memory_field(pool.free, k);
      while (next != 0) {
        segments.emplace_back(next - 1, room_of(k));
        std::uint32_t link = 0;  // of four bytes, whatever the width of the slots
        ASSERT_LE(static_cast<std::size_t>((next - 1) * width) + sizeof link, array.size());
        std::memcpy(&link, &array[static_cast<std::size_t>((next - 1) * width)], sizeof link);
        next = link;
        ASSERT_LE(segments.size(), array.size()) << "free segments go in a circle";
      }
    }
    std::sort(segments.begin(), segments.end());
    std::int64_t end = 0;
    for (const auto& [begin, size] : segments) {
      EXPECT_EQ(begin, end) << "slots of " << pool.node << " are used twice or lost";
      end = begin + size;
    }
    EXPECT_EQ(end, machine_.memory_field(pool.next));
  }
}

std::vector<Entries> SchemaChecker::check() {
  std::vector<Entries> all;
  const NodeRecord& root = machine_.structure().node(schema::root_of(machine_.schema()).name.text);
  for (const std::uint32_t each : machine_.roots()) {
    entries_.clear();
    if (each != loop::null_ref_bits) visit(root, each, nullptr, 0);
    const auto not_ascending = [](const auto& a, const auto& b) { return a.first >= b.first; };
    if (!schema::is_ordered(machine_.schema())) std::sort(entries_.begin(), entries_.end());
    EXPECT_EQ(std::adjacent_find(entries_.begin(), entries_.end(), not_ascending), entries_.end());
    all.push_back(entries_);
  }
  check_memory();
  return all;
}

}  // namespace lacuna::dynamic
