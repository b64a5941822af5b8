#include <map>

#include <fmt/ranges.h>

#include "lacuna/dynamic/schema/check.h"
#include "lacuna/dynamic/schema/properties.h"
#include "lacuna/dynamic/schema/words.h"

namespace lacuna::schema {
namespace {

/// Two constants may have the same value; a size field is the same as no other.
bool same_size(const std::optional<ArraySize>& a, const std::optional<ArraySize>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  const auto* const x = std::get_if<Number>(&*a);
  const auto* const y = std::get_if<Number>(&*b);
  return x != nullptr && y != nullptr ? x->value == y->value : *a == *b;
}

class SequenceChecker {
 public:
  SequenceChecker(const NodeType& node, const Source& source) : node_(node), source_(source) {}

  void check() {
    if (node_.sequence.empty()) return;
    for (const SequenceEntry& entry : node_.sequence) {
      for (const Name& name : entry.fields) check_name(name);
      check_braces(entry);
    }
    for (const Field& field : node_.fields) {
      if ((!is_element(field) && !is_child(field)) || named_.count(field.name.text) != 0) continue;
      fail_at(source_, node_.sequence.front().fields.front().where,
              "the seq of {} leaves out {}; it says where all elements and children stand, or is not there at all",
              node_.name.text, field.name.text);
    }
  }

 private:
  void check_name(const Name& name) {
    const Field* const field = find_field(node_, name.text);
    if (field == nullptr) {
      std::vector<std::string_view> known;
      for (const Field* each : element_fields(node_)) known.push_back(each->name.text);
      for (const Field* each : child_fields(node_)) known.push_back(each->name.text);
      const std::string advice = did_you_mean(name.text, known);
      fail_at(source_, name.where, "{} has no field {}{}", node_.name.text, name.text,
              advice.empty() ? fmt::format("; seq orders {}", fmt::join(known, ", ")) : advice);
    }
    if (!is_element(*field) && !is_child(*field)) {
      fail_at(source_, name.where,
              "{} holds neither elements nor children, so it has no place in an order; leave it out", name.text);
    }
    if (!named_.emplace(name.text, name.where).second) {
      fail_at(source_, name.where, "{} is in the seq twice; each field has one place in the order", name.text);
    }
  }

  void check_braces(const SequenceEntry& entry) const {
    const Name& first = entry.fields.front();
    const auto size = array_of(*find_field(node_, first.text));
    for (const Name& name : entry.fields) {
      if (same_size(array_of(*find_field(node_, name.text)), size)) continue;
      fail_at(
          source_, name.where,
          "{} and {} alternate in these braces, slot by slot, but have different sizes; give both the same size, or "
          "put {} outside the braces",
          first.text, name.text, name.text);
    }
  }

  const NodeType& node_;
  const Source& source_;
  std::map<std::string_view, Place> named_;
};

}  // namespace

void check_sequences(const NodeSchema& schema, const Source& source) {
  for (const NodeType& node : schema.nodes) SequenceChecker(node, source).check();
}

}  // namespace lacuna::schema
