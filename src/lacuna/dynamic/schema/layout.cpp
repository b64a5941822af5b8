#include "lacuna/dynamic/schema/layout.h"

#include "lacuna/dynamic/schema/properties.h"

namespace lacuna::schema {
namespace {

/// Adds the members of one field, by its kind.
class MemberWriter {
 public:
  MemberWriter(const NodeType& node, std::vector<Member>& members) : node_(node), members_(members) {}

  void add(const Field& field) {
    field_ = &field;
    std::visit(*this, field.type);
  }

  void operator()(const ElementField& element) const {
    if (element.differences) add_slots("d", element.differences->type);
    else add_slots("c", CoordinateType());
    add_slots("v", ValueType());
  }
  void operator()(const ChildField& child) const { add_slots("", NodeReference{child.type.text}); }
  void operator()(const SizeField&) const { add_single(Type::Int32); }
  void operator()(const MetadataField& metadata) const { add_single(metadata.type); }
  void operator()(const ParentField&) const {
    add_single(NodeReference{node_.supertype ? node_.supertype->text : node_.name.text});
  }

 private:
  void add_single(MemberType type) const {
    Member member;
    member.name = member.field = field_->name.text;
    member.type = std::move(type);
    members_.push_back(std::move(member));
  }

  void add_slots(std::string_view suffix, MemberType type) const {
    add_single(std::move(type));
    Member& member = members_.back();
    member.name += suffix;
    const auto array = array_of(*field_);
    if (!array) return;
    if (const auto* size = std::get_if<Name>(&*array)) member.size = size->text;
    const auto capacity = capacity_of(node_, *field_);
    member.storage = capacity ? Storage::InNode : Storage::Elsewhere;
    member.capacity = capacity.value_or(1);
  }

  const NodeType& node_;
  std::vector<Member>& members_;
  const Field* field_ = nullptr;
};

Struct struct_of_supertype(const NodeSchema& schema, const Name& supertype) {
  Struct made;
  made.name = supertype.text;
  for (const NodeType& node : schema.nodes) {
    if (node.supertype && node.supertype->text == supertype.text) made.extended_by.push_back(node.name.text);
  }
  Member tag;
  tag.name = tag_member;
  tag.type = NodeTag();
  made.members.push_back(std::move(tag));
  return made;
}

}  // namespace

std::vector<Member> members_of(const NodeType& node) {
  std::vector<Member> members;
  MemberWriter writer(node, members);
  for (const Field& field : node.fields) writer.add(field);
  return members;
}

std::vector<Struct> layout_of(const NodeSchema& schema) {
  std::vector<Struct> structs;
  for (const Name& supertype : schema.supertypes) structs.push_back(struct_of_supertype(schema, supertype));
  for (const NodeType& node : schema.nodes) {
    Struct made;
    made.name = node.name.text;
    if (node.supertype) made.base = node.supertype->text;
    made.members = members_of(node);
    structs.push_back(std::move(made));
  }
  return structs;
}

}  // namespace lacuna::schema
