#include "lacuna/dynamic/schema/check.h"

#include <fmt/core.h>
#include "lacuna/dynamic/schema/properties.h"
#include "lacuna/dynamic/schema/words.h"

namespace lacuna::schema {
namespace {

/// What a field is, for messages.
struct KindText {
  std::string operator()(const ElementField&) const { return "holds elements"; }
  std::string operator()(const ChildField&) const { return "holds children"; }
  std::string operator()(const SizeField&) const { return "is a size"; }
  std::string operator()(const MetadataField& metadata) const {
    return fmt::format("is metadata ({})", type_name(metadata.type));
  }
  std::string operator()(const ParentField&) const { return "is a parent"; }
};

/// Sizes, ranges and parents of one node.
class FieldChecker {
 public:
  FieldChecker(const NodeSchema& schema, const NodeType& node, const Source& source)
      : schema_(schema), node_(node), source_(source) {}

  void check() const {
    const Field* parent = nullptr;
    for (const Field& field : node_.fields) {
      if (const auto array = array_of(field)) check_array(field, *array);
      if (const auto* size = std::get_if<SizeField>(&field.type)) check_size(field, *size);
      if (!std::holds_alternative<ParentField>(field.type)) continue;
      check_parent(field, parent);
      parent = &field;
    }
    check_room();
  }

 private:
  /// Nodes are made by the dozen, and each has room for all of its slots.
  void check_room() const {
    std::int64_t slots = 0;
    for (const Field& field : node_.fields) {
      if (array_of(field)) slots += capacity_of(node_, field).value_or(0);
      if (slots <= largest_capacity) continue;
      fail_at(source_, field.name.where,
              "with {}, the arrays in a {} have {} slots; {} are the most, and those whose size has no upper bound lie "
              "elsewhere",
              field.name.text, node_.name.text, slots, largest_capacity);
    }
  }

  void check_array(const Field& field, const ArraySize& array) const {
    if (const auto* number = std::get_if<Number>(&array)) check_capacity(field, *number);
    else check_counter(field, std::get<Name>(array));
  }

  void check_capacity(const Field& field, const Number& number) const {
    if (number.value < 1) {
      fail_at(source_, number.where, "{} has {} slots, so it never holds anything; give it 1 or more", field.name.text,
              number.value);
    }
    if (number.value <= largest_capacity) return;
    fail_at(source_, number.where,
            "an array of {} slots in a node; {} are the most, and one whose size has no upper bound is stored outside "
            "the node",
            number.value, largest_capacity);
  }

  void check_counter(const Field& field, const Name& name) const {
    const Field* const counter = find_field(node_, name.text);
    if (counter == nullptr) fail_no_counter(field, name);
    if (std::holds_alternative<SizeField>(counter->type)) return;
    fail_at(source_, name.where, "{} {}, and only a size counts the slots of an array; write {} : size", name.text,
            std::visit(KindText(), counter->type), name.text);
  }

  [[noreturn]] void fail_no_counter(const Field& field, const Name& name) const {
    for (const NodeType& other : schema_.nodes) {
      const Field* const elsewhere = find_field(other, name.text);
      if (elsewhere == nullptr || !std::holds_alternative<SizeField>(elsewhere->type)) continue;
      fail_at(source_, name.where,
              "the size {} is a field of {}, but {} needs one in its own node; write {} : size in {}", name.text,
              other.name.text, field.name.text, name.text, node_.name.text);
    }
    std::vector<std::string_view> known;
    for (const Field& each : node_.fields) {
      if (std::holds_alternative<SizeField>(each.type)) known.push_back(each.name.text);
    }
    for (const Constant& constant : schema_.constants) known.push_back(constant.name.text);
    const std::string advice = did_you_mean(name.text, known);
    fail_at(source_, name.where, "{} has neither a size nor a constant {} in sight{}", node_.name.text, name.text,
            advice.empty() ? fmt::format("; add the field {} : size", name.text) : advice);
  }

  void check_size(const Field& field, const SizeField& size) const {
    if (size.range) check_range(field, *size.range);
    for (const Field& each : node_.fields) {
      const auto array = array_of(each);
      const auto* const name = array ? std::get_if<Name>(&*array) : nullptr;
      if (name != nullptr && name->text == field.name.text) return;
    }
    fail_at(source_, field.name.where,
            "{} is the size of no array; write an array such as e : elem[{}], or make it metadata: {} : int32",
            field.name.text, field.name.text, field.name.text);
  }

  void check_range(const Field& field, const SizeRange& range) const {
    if (!range.most) return;
    const std::int64_t least = range.least.value;
    const std::int64_t most = range.most->value;
    if (most < least) {
      fail_at(source_, range.most->where, "the range [{}, {}] of {} is empty; the smaller bound comes first", least,
              most, field.name.text);
    }
    if (most == 0) {
      fail_at(source_, range.most->where, "{} can only be 0, so its arrays never hold anything; raise the upper bound",
              field.name.text);
    }
    if (most > largest_capacity) {
      fail_at(source_, range.most->where,
              "arrays of {} slots in a node; {} are the most. With '*' as upper bound they lie elsewhere", most,
              largest_capacity);
    }
  }

  void check_parent(const Field& field, const Field* before) const {
    if (before != nullptr) {
      fail_at(source_, field.name.where, "{} has its parent in {} already; a node has one", node_.name.text,
              before->name.text);
    }
    for (const NodeType& other : schema_.nodes) {
      for (const Field& each : other.fields) {
        const auto* const child = std::get_if<ChildField>(&each.type);
        if (child != nullptr && refers_to_own(other, *child)) return;
      }
    }
    const std::string family = node_.supertype ? node_.supertype->text : node_.name.text;
    fail_at(source_, field.name.where,
            "{} would always be null: the parent of {} is a node of type {} that refers to it, and none does; take the "
            "field out",
            field.name.text, node_.name.text, family);
  }

  /// Whether a node of the checked node's own family may refer to it through that field.
  bool refers_to_own(const NodeType& other, const ChildField& child) const {
    const bool same = other.name.text == node_.name.text;
    const bool family = node_.supertype && other.supertype && node_.supertype->text == other.supertype->text;
    const bool leads_here =
        child.type.text == node_.name.text || (node_.supertype && child.type.text == node_.supertype->text);
    return (same || family) && leads_here;
  }

  const NodeSchema& schema_;
  const NodeType& node_;
  const Source& source_;
};

}  // namespace

void check_fields(const NodeSchema& schema, const Source& source) {
  for (const NodeType& node : schema.nodes) FieldChecker(schema, node, source).check();
}

}  // namespace lacuna::schema
