#include "lacuna/dynamic/lower/coroutine.h"

#include <algorithm>

#include "lacuna/dynamic/schema/properties.h"
#include "lacuna/support/check.h"

namespace lacuna::dynamic {

Coroutine::Coroutine(const schema::NodeSchema& schema) : schema_(schema) {
  internal_check(schema::is_ordered(schema), "the elements of a level without order are asked for one after the other");
  for (const schema::NodeType& node : schema.nodes) {
    const std::vector<schema::SequenceEntry> groups = schema::sequence_of(node);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const int begin = count() + 1;
      const int past = begin + static_cast<int>(groups[g].fields.size());
      for (const schema::Name& name : groups[g].fields) {
        State state{&node, schema::find_field(node, name.text)};
        state.is_child = schema::is_child(*state.field);
        state.is_array = schema::array_of(*state.field).has_value();
        state.first = count() + 1 == begin;
        state.next = count() + 2 < past ? count() + 2 : 0;
        state.group = begin;
        state.after = g + 1 < groups.size() ? past : 0;
        states_.push_back(state);
      }
    }
  }
}

int Coroutine::begin_of(const std::string& node) const {
  const auto found =
      std::find_if(states_.begin(), states_.end(), [&](const State& s) { return s.node->name.text == node; });
  return found == states_.end() ? 0 : static_cast<int>(found - states_.begin()) + 1;
}

bool Coroutine::needs_stack() const {
  return std::any_of(states_.begin(), states_.end(), [](const State& s) { return s.is_child && !s.is_tail(); });
}

}  // namespace lacuna::dynamic
