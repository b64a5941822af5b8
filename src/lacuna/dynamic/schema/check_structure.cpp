#include <algorithm>

#include <fmt/ranges.h>

#include "lacuna/dynamic/schema/check.h"
#include "lacuna/dynamic/schema/properties.h"
#include "lacuna/dynamic/schema/references.h"

namespace lacuna::schema {
namespace {

/// How the nodes hang together: from one root to all nodes, to elements, and to an end.
class StructureChecker {
 public:
  StructureChecker(const NodeSchema& schema, const Source& source) : schema_(schema), source_(source) {}

  void check() const {
    check_supertypes();
    check_each_holds_something();
    check_elements();
    check_endings();
    check_reach(check_root());
    check_emptiness();
  }

 private:
  void check_supertypes() const {
    for (const Name& supertype : schema_.supertypes) {
      const bool used = std::any_of(schema_.nodes.begin(), schema_.nodes.end(), [&](const NodeType& node) {
        return node.supertype && node.supertype->text == supertype.text;
      });
      if (used) continue;
      fail_at(source_, supertype.where, "no node is of the supertype {}; write 'def NAME : {} {{ … }}' or take it out",
              supertype.text, supertype.text);
    }
  }

  void check_each_holds_something() const {
    for (const NodeType& node : schema_.nodes) {
      if (!element_fields(node).empty() || !child_fields(node).empty()) continue;
      fail_at(source_, node.name.where,
              "{} holds no elements and refers to no children; give it a field such as e : elem, or take it out",
              node.name.text);
    }
  }

  /// Each node leads to an element: otherwise nothing could be stored below it.
  void check_elements() const {
    const NodeSet leading = smallest_set(schema_, [&](const NodeType& node, const NodeSet& set) {
      return !element_fields(node).empty() || any_child(node, [&](const Field&, const ChildField& child) {
        return some_target_in(schema_, child, set);
      });
    });
    for (std::size_t k = 0; k < schema_.nodes.size(); ++k) {
      if (leading[k]) continue;
      fail_at(source_, schema_.nodes[k].name.where,
              "{} leads to no elements: neither it nor a node that it refers to has a field of type elem",
              schema_.nodes[k].name.text);
    }
  }

  /// Each node can be the top of finitely many: references that must not be null come to an end.
  void check_endings() const {
    const NodeSet finite = smallest_set(schema_, [&](const NodeType& node, const NodeSet& set) {
      return !any_child(node, [&](const Field& field, const ChildField& child) {
        return fewest_filled(node, field) > 0 && !some_target_in(schema_, child, set);
      });
    });
    for (std::size_t k = 0; k < schema_.nodes.size(); ++k) {
      if (finite[k]) continue;
      const NodeType& node = schema_.nodes[k];
      for (const Field* field : child_fields(node)) {
        const auto& child = std::get<ChildField>(field->type);
        if (fewest_filled(node, *field) == 0 || some_target_in(schema_, child, finite)) continue;
        fail_at(source_, field->name.where,
                "{} is nonempty, so each {} needs another {} without end; leave out nonempty, or let the size be 0",
                field->name.text, node.name.text, child.type.text);
      }
    }
  }

  /// Returns the root's number.
  std::size_t check_root() const {
    const std::vector<std::size_t> roots = unreferenced(schema_);
    if (roots.size() == 1) return roots.front();
    if (roots.empty()) {
      const NodeType& first = schema_.nodes.front();
      fail_at(source_, first.name.where,
              "every node is referred to by another, so none stands for the whole level; add one that refers to the "
              "first, such as def {} {{ r : {} }}",
              find_node(schema_, "root") == nullptr ? "root" : "top", first.name.text);
    }
    const Name& second = schema_.nodes[roots[1]].name;
    fail_at(source_, second.where,
            "no other node refers to {} or to {}{}, but only the node that stands for the whole level may be so; refer "
            "to the other one, or take it out",
            schema_.nodes[roots[0]].name.text, second.text,
            roots.size() > 2 ? fmt::format(" (nor to {} more)", roots.size() - 2) : "");
  }

  void check_reach(std::size_t root) const {
    NodeSet reached = closure_of(schema_)[root];
    reached[root] = true;
    for (std::size_t k = 0; k < schema_.nodes.size(); ++k) {
      if (reached[k]) continue;
      fail_at(source_, schema_.nodes[k].name.where, "{} cannot be reached from {}, which stands for the whole level",
              schema_.nodes[k].name.text, schema_.nodes[root].name.text);
    }
  }

  /// A level may be empty, as a row of a matrix may: the root must be able to say so.
  void check_emptiness() const {
    const NodeType& root = root_of(schema_);
    const NodeSet emptiable = smallest_set(schema_, [&](const NodeType& node, const NodeSet& set) {
      return elements_of(node).least == 0 && !any_child(node, [&](const Field& field, const ChildField& child) {
               return fewest_filled(node, field) > 0 && !some_target_in(schema_, child, set);
             });
    });
    for (const Field& field : root.fields) {
      if (fewest_filled(root, field) == 0) continue;
      const auto* const child = std::get_if<ChildField>(&field.type);
      if (child != nullptr && some_target_in(schema_, *child, emptiable)) continue;
      fail_at(source_, field.name.where,
              "{} is nonempty, but {} stands for the whole level, which may be empty; leave out nonempty, let the size "
              "be 0, or add a node that refers to {}",
              field.name.text, root.name.text, root.name.text);
    }
  }

  template <typename Predicate>
  static bool any_child(const NodeType& node, const Predicate& holds) {
    return std::any_of(node.fields.begin(), node.fields.end(), [&](const Field& field) {
      const auto* const child = std::get_if<ChildField>(&field.type);
      return child != nullptr && holds(field, *child);
    });
  }

  const NodeSchema& schema_;
  const Source& source_;
};

}  // namespace

void check_structure(const NodeSchema& schema, const Source& source) { StructureChecker(schema, source).check(); }

}  // namespace lacuna::schema
