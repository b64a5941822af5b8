#include "lacuna/dynamic/lower/visit.h"

#include <algorithm>
#include <set>

#include "lacuna/dynamic/schema/properties.h"
#include "lacuna/support/check.h"

namespace lacuna::dynamic {

using loop::Expr;
using loop::Stmt;
using loop::Var;
using schema::Field;
using schema::NodeType;
using Statements = std::vector<Stmt>;
using Body = std::function<Stmt(const Element&)>;

namespace {

using loop::bits_type;
using loop::int64_type;

const std::string& target_of(const Field& child) { return std::get<schema::ChildField>(child.type).type.text; }

bool has_child(const std::vector<const Field*>& group) {
  return std::any_of(group.begin(), group.end(), [](const Field* f) { return schema::is_child(*f); });
}

/// Whether a node's elements come before all children, so that they need not wait.
bool begins_with(const NodeType& node, const std::vector<const Field*>& group) {
  for (const auto& each : schema::field_groups(node)) {
    if (has_child(each)) return false;
    if (each == group) return true;
  }
  return false;
}

}  // namespace

std::vector<Var> VisitStack::memory() const {
  std::vector<Var> all{references, capacity};
  if (kinds) all.push_back(*kinds);
  return all;
}

Visit::Visit(const Structure& structure, bool in_order, FreshVar fresh)
    : structure_(structure), in_order_(in_order), fresh_(std::move(fresh)) {
  internal_check(!in_order || schema::is_ordered(structure.schema), "a level without order is visited in order");
  needs_stack_ = !is_list();
  find_kinds();
}

/// Each node leads to one other at most, after its elements.
bool Visit::is_list() const {
  for (const NodeType& node : structure_.schema.nodes) {
    const std::vector<const Field*> children = schema::child_fields(node);
    if (children.size() > 1 || (children.size() == 1 && schema::array_of(*children[0]))) return false;
    if (!in_order_) continue;
    for (const auto& group : schema::field_groups(node))
      if (!has_child(group) && !begins_with(node, group)) return false;
  }
  std::set<std::string> targets;
  for (const NodeType& node : structure_.schema.nodes)
    for (const Field* child : schema::child_fields(node)) targets.insert(target_of(*child));
  return targets.size() == 1;
}

void Visit::find_kinds() {
  const auto add = [&](const std::string& reference, const Field* elements) {
    const bool known = std::any_of(kinds_.begin(), kinds_.end(),
                                   [&](const Kind& k) { return k.reference == reference && k.elements == elements; });
    if (!known) kinds_.push_back({reference, elements});
  };
  for (const NodeType& node : structure_.schema.nodes)
    for (const auto& group : schema::field_groups(node))
      for (const Field* field : group) {
        if (schema::is_child(*field)) add(target_of(*field), nullptr);
        else if (in_order_ && needs_stack_ && !begins_with(node, group)) add(node.name.text, field);
      }
}

std::size_t Visit::kind_of(const std::string& reference, const Field* elements) const {
  for (std::size_t k = 0; k < kinds_.size(); ++k)
    if (kinds_[k].reference == reference && kinds_[k].elements == elements) return k;
  throw InternalError("internal error: " + reference + " does not wait");
}

/// Writes the loops of one visit.
class VisitWriter {
 public:
  /// Without a body, only references are come to.
  VisitWriter(const Visit& visit, const std::optional<VisitStack>& stack, const Body& body)
      : visit_(visit), structure_(visit.structure_), stack_(stack), body_(body) {}

  Statements find_subtrees(const Expr& root, const Subtrees& s, const Expr& wanted) {
    // A tree that never gets wide, as a list is, is left alone after so many nodes.
    constexpr std::int64_t nodes_a_subtree = 16;
    const NodeType& node = schema::root_of(structure_.schema);
    const Var n = visit_.fresh_("root", loop::ref_type(structure_.node(node.name.text).record));
    top_ = s.count;
    Statements out{loop::declare(n, root), loop::declare(s.count, 0), loop::declare(s.expanded, 0)};
    expand(node, n, out);
    Statements inside;
    const Var bits = visit_.fresh_("at", bits_type);
    inside.push_back(loop::declare(bits, loop::load(s.queue.references, s.expanded)));
    const Stmt followed = waiting(bits, Expr(s.expanded), inside);
    inside.push_back(loop::increment(s.expanded));
    inside.push_back(followed);
    const Expr some_left = Expr(s.expanded) < Expr(s.count);
    const Expr too_few = Expr(s.count) - Expr(s.expanded) < wanted,
               not_too_long = Expr(s.expanded) < wanted * nodes_a_subtree;
    out.push_back(loop::while_loop(some_left && too_few && not_too_long, loop::block(std::move(inside))));
    return out;
  }

  Statements subtree(const Expr& root, const Subtrees& s, const Var& task) {
    top_ = visit_.fresh_("top", int64_type);
    Statements out;
    Statements begin{loop::store(stack_->references, 0, loop::load(s.queue.references, task))};
    if (visit_.has_kinds()) begin.push_back(loop::store(*stack_->kinds, 0, loop::load(*s.queue.kinds, task)));
    const NodeType& node = schema::root_of(structure_.schema);
    if (schema::element_fields(node).empty()) {
      out = std::move(begin);
      out.push_back(loop::declare(*top_, 1));
    } else {
      out.push_back(loop::declare(*top_, 0));
      begin.push_back(loop::assign(*top_, 1));
      const Var n = visit_.fresh_("root", loop::ref_type(record_of(node).record));
      Statements own{loop::declare(n, root)};
      own_elements(node, n, own);
      out.push_back(loop::if_then(loop::eq(task, s.count), loop::block(std::move(own)), loop::block(std::move(begin))));
    }
    Statements inside = next_from_stack();
    inside.push_back(loop::if_then(Expr(task) < Expr(s.expanded), loop::break_loop()));
    out.push_back(loop::while_loop(Expr(*top_) > 0, loop::block(std::move(inside))));
    return out;
  }

  Statements find_stretches(const Expr& root, const Subtrees& s) {
    const NodeType& node = schema::root_of(structure_.schema);
    const Var n = visit_.fresh_("root", loop::ref_type(record_of(node).record));
    const Var at = visit_.fresh_("at", bits_type);
    const Expr null{Scalar(loop::null_ref_bits)};
    top_ = s.count;
    Statements begin;
    make_room(Expr(1), begin);
    push_reference(at, target_of(*schema::child_fields(node)[0]), nullptr, Expr(0), begin);
    const Expr starts = loop::eq(Expr(s.expanded) % Expr(nodes_a_stretch()), 0);
    Statements inside{loop::if_then(starts, loop::block(std::move(begin))), loop::increment(s.expanded),
                      go_on(node, at, nullptr)};
    return {loop::declare(n, root), loop::declare(s.count, 0), loop::declare(s.expanded, 0),
            loop::declare(at, first_of(node, n)), loop::while_loop(loop::ne(at, null), loop::block(std::move(inside)))};
  }

  Statements stretch(const Expr& root, const Subtrees& s, const Var& task) {
    const NodeType& node = schema::root_of(structure_.schema);
    const Var at = visit_.fresh_("at", bits_type), past = visit_.fresh_("past", bits_type);
    const Expr null{Scalar(loop::null_ref_bits)};
    const Var& references = s.queue.references;
    Statements out{
        loop::declare(at, null), loop::declare(past, null),
        loop::if_then(Expr(task) < Expr(s.count), loop::assign(at, loop::load(references, task))),
        loop::if_then(Expr(task) + 1 < Expr(s.count), loop::assign(past, loop::load(references, Expr(task) + 1)))};
    if (!schema::element_fields(node).empty()) {
      const Var n = visit_.fresh_("root", loop::ref_type(record_of(node).record));
      Statements own{loop::declare(n, root)};
      elements_of(node, n, own);
      out.push_back(loop::if_then(loop::eq(task, s.count), loop::block(std::move(own))));
    }
    const auto visited = [&](const NodeType& each, const Var& here, Statements& inside) {
      elements_of(each, here, inside);
    };
    out.push_back(loop::while_loop(loop::ne(at, past), go_on(node, at, visited)));
    return out;
  }

  Statements run(const Expr& root) {
    const NodeType& node = schema::root_of(structure_.schema);
    const Var n = visit_.fresh_("root", loop::ref_type(structure_.node(node.name.text).record));
    Statements out{loop::declare(n, root)};
    if (visit_.needs_stack_) with_stack(node, n, out);
    else as_list(node, n, out);
    return out;
  }

 private:
  const NodeRecord& record_of(const NodeType& node) const { return structure_.node(node.name.text); }
  SlotAccess slots(const NodeType& node, const Field& field, const Var& n) const {
    return {structure_, record_of(node), field, n};
  }

  // Lists.

  void as_list(const NodeType& root, const Var& n, Statements& out) {
    elements_of(root, n, out);
    if (schema::child_fields(root).empty()) return;
    const Var at = visit_.fresh_("at", bits_type);
    out.push_back(loop::declare(at, first_of(root, n)));
    const auto visited = [&](const NodeType& node, const Var& here, Statements& inside) {
      elements_of(node, here, inside);
    };
    out.push_back(loop::while_loop(loop::ne(at, Expr(Scalar(loop::null_ref_bits))), go_on(root, at, visited)));
  }

  /// The node of a list that one of its nodes leads to; null behind the last.
  Expr first_of(const NodeType& node, const Var& n) const {
    const std::vector<const Field*> next = schema::child_fields(node);
    return next.empty() ? Expr(Scalar(loop::null_ref_bits)) : slots(node, *next[0], n).bits(Expr());
  }

  /// From a node of the list to the next one, once `visited` has written what is done with it.
  Stmt go_on(const NodeType& root, const Var& at,
             const std::function<void(const NodeType&, const Var&, Statements&)>& visited) {
    return each_target(target_of(*schema::child_fields(root)[0]), at, [&](const NodeType& node, const Var& here) {
      Statements inside;
      if (visited) visited(node, here, inside);
      inside.push_back(loop::assign(at, first_of(node, here)));
      return loop::block(std::move(inside));
    });
  }

  /// A thread that is handed a stretch has some work before it asks for another.
  std::int64_t nodes_a_stretch() const {
    constexpr std::int64_t elements_a_stretch = 512;
    std::int64_t fewest = elements_a_stretch;
    for (const NodeType& node : structure_.schema.nodes) {
      const auto most = schema::elements_of(node).most;
      if (most && *most > 0) fewest = std::min(fewest, *most);
    }
    return elements_a_stretch / fewest;
  }

  // Trees.

  void with_stack(const NodeType& root, const Var& n, Statements& out) {
    internal_check(stack_.has_value(), "a visit of a tree without a stack");
    top_ = visit_.fresh_("top", int64_type);
    out.push_back(loop::declare(*top_, 0));
    expand(root, n, out);
    out.push_back(loop::while_loop(Expr(*top_) > 0, loop::block(next_from_stack())));
  }

  Statements next_from_stack() {
    Statements out{loop::assign(*top_, Expr(*top_) - 1)};
    const Var bits = visit_.fresh_("at", bits_type);
    out.push_back(loop::declare(bits, loop::load(stack_->references, *top_)));
    out.push_back(waiting(bits, Expr(*top_), out));
    return out;
  }

  /// What is done with what waits at `place` of the stack; what kind it is gets a name before.
  Stmt waiting(const Var& bits, const Expr& place, Statements& before) {
    if (!visit_.has_kinds()) return visit_.kinds_.empty() ? nullptr : follow(visit_.kinds_[0].reference, bits);
    const Var what = visit_.fresh_("what", int64_type);
    before.push_back(loop::declare(what, loop::load(*stack_->kinds, place)));
    return dispatch(bits, what);
  }

  /// The elements of a node whose order does not matter.
  void own_elements(const NodeType& node, const Var& n, Statements& out) {
    for (const auto& group : schema::field_groups(node)) {
      if (!has_child(group)) {
        run_of(node, group, n, out);
        continue;
      }
      for (const Field* field : group)
        if (schema::is_element(*field)) run_of(node, {field}, n, out);
    }
  }

  Stmt dispatch(const Var& bits, const Var& what) {
    const auto count = static_cast<std::int64_t>(visit_.kinds_.size());
    Stmt cases;
    for (std::size_t k = visit_.kinds_.size(); k-- > 0;) {
      const Visit::Kind& kind = visit_.kinds_[k];
      const Stmt done =
          kind.elements == nullptr ? follow(kind.reference, bits) : waiting_elements(kind, bits, Expr(what) / count);
      cases = cases == nullptr ? done
                               : loop::if_then(loop::eq(Expr(what) % count, static_cast<std::int64_t>(k)), done, cases);
    }
    return cases;
  }

  Stmt follow(const std::string& reference, const Var& bits) {
    return each_target(reference, bits, [&](const NodeType& node, const Var& here) {
      Statements inside;
      expand(node, here, inside);
      return loop::block(std::move(inside));
    });
  }

  /// The elements of a node that waited for what comes before them: all slots of an array, or the one that was its
  /// turn.
  Stmt waiting_elements(const Visit::Kind& kind, const Var& bits, const Expr& slot) {
    const NodeType& node = *schema::find_node(structure_.schema, kind.reference);
    const Var n = visit_.fresh_(kind.reference, loop::ref_type(record_of(node).record));
    Statements out{loop::declare(n, loop::as_ref(bits, record_of(node).record))};
    for (const auto& group : schema::field_groups(node)) {
      if (std::find(group.begin(), group.end(), kind.elements) == group.end()) continue;
      if (has_child(group)) out.push_back(element(slots(node, *kind.elements, n), slot, out));
      else run_of(node, group, n, out);
    }
    return loop::block(std::move(out));
  }

  /// A node: its elements, and what is below it put on the stack.
  void expand(const NodeType& node, const Var& n, Statements& out) {
    std::vector<std::vector<const Field*>> waiting;
    Expr room(0);
    for (const auto& group : schema::field_groups(node)) {
      const bool waits = has_child(group) || (visit_.in_order_ && !begins_with(node, group));
      if (!waits) {
        run_of(node, group, n, out);
        continue;
      }
      const auto at_once = std::count_if(group.begin(), group.end(), [&](const Field* f) { return is_pushed(*f); });
      room = room + (has_child(group) ? slots(node, *group[0], n).count() * Expr(at_once) : Expr(1));
      waiting.push_back(group);
      // Nodes first: elements between children do not wait for them.
      if (!visit_.in_order_)
        for (const Field* field : group)
          if (schema::is_element(*field)) run_of(node, {field}, n, out);
    }
    if (waiting.empty()) return;
    make_room(room, out);
    for (auto group = waiting.rbegin(); group != waiting.rend(); ++group) push(node, *group, n, out);
  }

  bool is_pushed(const Field& field) const { return schema::is_child(field) || visit_.in_order_; }

  void push(const NodeType& node, const std::vector<const Field*>& group, const Var& n, Statements& out) {
    if (!has_child(group))
      return push_reference(loop::convert(n, Type::UInt32), node.name.text, group[0], Expr(0), out);
    const auto of_slot = [&](const Expr& slot, Statements& pushes) {
      for (auto f = group.rbegin(); f != group.rend(); ++f) {
        if (schema::is_child(**f)) push_child(slots(node, **f, n), slot, pushes);
        else if (visit_.in_order_) push_reference(loop::convert(n, Type::UInt32), node.name.text, *f, slot, pushes);
      }
    };
    const SlotAccess first = slots(node, *group[0], n);
    if (!first.is_array()) return of_slot(Expr(), out);
    const Var back = visit_.fresh_("back", int64_type), slot = visit_.fresh_("slot", int64_type);
    const Var count = visit_.fresh_("count", int64_type);
    out.push_back(loop::declare(count, first.count()));
    Statements inside{loop::declare(slot, Expr(count) - 1 - Expr(back))};
    of_slot(slot, inside);
    out.push_back(loop::for_loop(back, 0, count, loop::block(std::move(inside))));
  }

  void push_child(const SlotAccess& child, const Expr& slot, Statements& out) {
    const Var bits = visit_.fresh_("below", bits_type);
    out.push_back(loop::declare(bits, child.bits(slot)));
    const Expr there = loop::ne(bits, Expr(Scalar(loop::null_ref_bits)));
    if (!schema::is_nonempty(child.field) && has_block(*child.record.node)) {
      // Put on the stack all the same, and taken back: half of a tree's references are null, in no order that a
      // processor could foresee, and there is work enough in a block to hide the wait for this one.
      put_on_top(bits, target_of(child.field), nullptr, Expr(0), out);
      out.push_back(loop::assign(*top_, Expr(*top_) + loop::convert(there, Type::Int64)));
      return;
    }
    Statements pushed;
    push_reference(bits, target_of(child.field), nullptr, Expr(0), pushed);
    out.push_back(loop::if_then(schema::is_nonempty(child.field) ? Expr(true) : there, loop::block(std::move(pushed))));
  }

  static bool has_block(const NodeType& node) {
    const std::vector<const Field*> fields = schema::element_fields(node);
    return std::any_of(fields.begin(), fields.end(), [](const Field* f) { return schema::array_of(*f).has_value(); });
  }

  void push_reference(const Expr& bits, const std::string& reference, const Field* elements, const Expr& slot,
                      Statements& out) {
    put_on_top(bits, reference, elements, slot, out);
    out.push_back(loop::increment(*top_));
  }

  void put_on_top(const Expr& bits, const std::string& reference, const Field* elements, const Expr& slot,
                  Statements& out) {
    out.push_back(loop::store(stack_->references, *top_, bits));
    if (!visit_.has_kinds()) return;
    const auto kind = static_cast<std::int64_t>(visit_.kind_of(reference, elements));
    const auto kinds = static_cast<std::int64_t>(visit_.kinds_.size());
    const Expr what = slot.defined() && !loop::is_constant(slot, 0) ? slot * kinds + kind : Expr(kind);
    out.push_back(loop::store(*stack_->kinds, *top_, what));
  }

  void make_room(const Expr& room, Statements& out) {
    const Expr wanted = Expr(*top_) + room;
    Statements grow{loop::assign(stack_->capacity, wanted * 2), loop::resize(stack_->references, stack_->capacity)};
    if (stack_->kinds) grow.push_back(loop::resize(*stack_->kinds, stack_->capacity));
    out.push_back(loop::if_then(Expr(stack_->capacity) < wanted, loop::block(std::move(grow))));
  }

  // Nodes.

  /// What is done with the node that a reference leads to, for each type that it may be of.
  Stmt each_target(const std::string& reference, const Var& bits,
                   const std::function<Stmt(const NodeType&, const Var&)>& visit) {
    return by_type(structure_, reference, bits, [&](const NodeRecord& target) {
      const Var n = visit_.fresh_(target.node->name.text, loop::ref_type(target.record));
      const Expr there = loop::as_ref(index_of(structure_, reference, bits), target.record);
      return loop::block({loop::declare(n, there), visit(*target.node, n)});
    });
  }

  void elements_of(const NodeType& node, const Var& n, Statements& out) {
    for (const auto& group : schema::field_groups(node))
      if (!has_child(group)) run_of(node, group, n, out);
  }

  /// All slots of fields that hold elements only.
  void run_of(const NodeType& node, const std::vector<const Field*>& group, const Var& n, Statements& out) {
    if (!body_) return;
    std::vector<SlotAccess> fields;
    for (const Field* field : group) fields.push_back(slots(node, *field, n));
    for (SlotAccess& field : fields) field.name_position(visit_.fresh_, out);
    if (!fields[0].is_array()) return out.push_back(element(fields[0], Expr(), out));
    if (schema::differences_of(*group[0])) return out.push_back(sums(node, fields[0], n, out));
    const Var slot = visit_.fresh_("slot", int64_type);
    Statements inside;
    for (const SlotAccess& field : fields) inside.push_back(element(field, slot, inside));
    out.push_back(loop::for_loop(slot, 0, fields[0].count(), loop::block(std::move(inside))));
  }

  /// All slots of an array that stores differences: they are added up along the way.
  Stmt sums(const NodeType& node, const SlotAccess& field, const Var& n, Statements& before) {
    const SlotAccess base = slots(node, schema::difference_base(node, field.field), n);
    const Var c = visit_.fresh_("c", loop::scalar_type(structure_.types.coordinate));
    const Var slot = visit_.fresh_("slot", int64_type);
    before.push_back(loop::declare(c, base.coordinate(Expr())));
    const Statements inside{loop::assign(c, Expr(c) + field.difference(slot)),
                            body_({c, field.value(slot), field.at(slot)})};
    return loop::for_loop(slot, 0, field.count(), loop::block(inside));
  }

  Stmt element(const SlotAccess& field, const Expr& slot, Statements& before) {
    if (schema::is_nonempty(field.field)) return body_({field.coordinate(slot), field.value(slot), field.at(slot)});
    const Var c = visit_.fresh_("c", loop::scalar_type(structure_.types.coordinate));
    before.push_back(loop::declare(c, field.coordinate(slot)));
    return loop::if_then(Expr(c) >= loop::constant(structure_.types.coordinate, 0),
                         body_({c, field.value(slot), field.at(slot)}));
  }

  const Visit& visit_;
  const Structure& structure_;
  const std::optional<VisitStack>& stack_;
  const Body& body_;
  std::optional<Var> top_;
};

Statements Visit::loops(const Expr& root, const std::optional<VisitStack>& stack, const Body& body) const {
  return VisitWriter(*this, stack, body).run(root);
}

Statements Visit::find_subtrees(const Expr& root, const Subtrees& subtrees, const Expr& wanted) const {
  internal_check(needs_stack_ && !in_order_, "threads share a visit that has an order");
  return VisitWriter(*this, subtrees.queue, nullptr).find_subtrees(root, subtrees, wanted);
}

Statements Visit::find_stretches(const Expr& root, const Subtrees& stretches) const {
  internal_check(!needs_stack_, "a tree is cut into chunks");
  return VisitWriter(*this, stretches.queue, nullptr).find_stretches(root, stretches);
}

Statements Visit::stretch(const Expr& root, const Subtrees& stretches, const Var& task, const Body& body) const {
  return VisitWriter(*this, std::nullopt, body).stretch(root, stretches, task);
}

Expr Visit::tasks(const Subtrees& subtrees) const {
  const bool root = !schema::element_fields(schema::root_of(structure_.schema)).empty();
  return root ? Expr(subtrees.count) + 1 : Expr(subtrees.count);
}

Statements Visit::subtree(const Expr& root, const Subtrees& subtrees, const Var& task, const VisitStack& stack,
                          const Body& body) const {
  return VisitWriter(*this, stack, body).subtree(root, subtrees, task);
}

}  // namespace lacuna::dynamic
