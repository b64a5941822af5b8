#include <algorithm>

#include <fmt/core.h>

#include "lacuna/dynamic/schema/check.h"
#include "lacuna/dynamic/schema/properties.h"
#include "lacuna/dynamic/schema/words.h"

namespace lacuna::schema {
namespace {

/// That the coordinates of an array can be told from its differences: each slot holds an element, and they add up from
/// an element that is always there.
class DifferenceChecker {
 public:
  DifferenceChecker(const NodeType& node, const Field& field, const Source& source)
      : node_(node), field_(field), name_(field.name.text), source_(source) {}

  void check() const {
    const Place& where = std::get<ElementField>(field_.type).differences->where;
    const Type type = *differences_of(field_);
    if (std::find(difference_types.begin(), difference_types.end(), type) == difference_types.end())
      fail_at(source_, where, "differences of coordinates are uint8, uint16 or uint32, not {}", type_name(type));
    if (!array_of(field_))
      fail_at(source_, where, "{} is a single element, and only those of an array are stored as differences", name_);
    if (!is_nonempty(field_))
      fail_at(source_, where,
              "a slot of {} may be empty, which no difference can say; write nonempty before diff, and count the slots "
              "in use with a size",
              name_);
    for (std::size_t k = 0; k < node_.sequence.size(); ++k) {
      const SequenceEntry& entry = node_.sequence[k];
      for (const Name& each : entry.fields)
        if (each.text == name_) return check_entry(entry, k == 0 ? nullptr : &node_.sequence[k - 1]);
    }
    fail_at(source_, where, "{} has no seq, so nobody knows what the differences of {} count from; {}", node_.name.text,
            name_, advice());
  }

 private:
  void check_entry(const SequenceEntry& entry, const SequenceEntry* before) const {
    const Place& where = entry.fields.front().where;
    if (!entry.braces || entry.fields.size() != 1)
      fail_at(source_, where,
              "the slots of {} are differences of one coordinate to the next, so they stand in braces of their own: "
              "{{{}}}",
              name_, name_);
    const Field* const base = before == nullptr ? nullptr : find_field(node_, before->fields.back().text);
    if (base != nullptr && is_element(*base) && !array_of(*base) && is_nonempty(*base)) return;
    fail_at(source_, where, "the differences of {} count from the element before it in the seq, and {}; {}", name_,
            base == nullptr ? "nothing is before it" : base->name.text + " is no single element that is nonempty",
            advice());
  }

  std::string advice() const {
    return fmt::format("add one, as in first : elem nonempty and seq = first, {{{}}}", name_);
  }

  const NodeType& node_;
  const Field& field_;
  const std::string& name_;
  const Source& source_;
};

}  // namespace

void check_differences(const NodeSchema& schema, const Source& source) {
  for (const NodeType& node : schema.nodes) {
    for (const Field& field : node.fields) {
      if (differences_of(field)) DifferenceChecker(node, field, source).check();
    }
  }
}

}  // namespace lacuna::schema
