#include <map>

#include "lacuna/dynamic/schema/check.h"
#include "lacuna/dynamic/schema/layout.h"

namespace lacuna::schema {

// Table 1 makes two members out of an element field and adds one for supertypes; the names of those are derived, so
// that two fields with different names may end up with members of the same name.
void check_members(const NodeSchema& schema, const Source& source) {
  for (const NodeType& node : schema.nodes) {
    std::map<std::string, std::string> field_of_member;
    for (const Member& member : members_of(node)) {
      const Place& where = find_field(node, member.field)->name.where;
      if (node.supertype && member.name == tag_member) {
        fail_at(source, where, "{} is the member that tells the nodes of {} apart; take another name for the field",
                member.name, node.supertype->text);
      }
      const auto [first, is_new] = field_of_member.emplace(member.name, member.field);
      if (is_new) continue;
      fail_at(source, where,
              "the fields {} and {} would both be stored as {} (elements e are stored as ec and ev); rename one",
              first->second, member.field, member.name);
    }
  }
}

}  // namespace lacuna::schema
