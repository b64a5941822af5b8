#include "lacuna/dynamic/lower/iterator.h"

#include <algorithm>

#include <fmt/core.h>

#include "lacuna/dynamic/lower/node_access.h"
#include "lacuna/dynamic/lower/place.h"
#include "lacuna/dynamic/schema/properties.h"
#include "lacuna/support/error.h"

namespace lacuna::dynamic {

using loop::Expr;
using loop::Stmt;
using loop::Var;
using schema::Field;
using Statements = std::vector<Stmt>;

namespace {

using loop::bits_type;
using loop::int64_type;

/// What the slot is multiplied by beside a state, a power of two.
std::int64_t states_in_frame(const Coroutine& coroutine) {
  std::int64_t power = 1;
  while (power <= coroutine.count()) power *= 2;
  return power;
}

}  // namespace

std::vector<Var> Walk::memory() const {
  std::vector<Var> all{record};
  for (const std::optional<Var>& each : {nodes, states, capacity})
    if (each) all.push_back(*each);
  return all;
}

/// Writes `next` or, with `low`, `seek`: the states one after the other, in a loop, so that what follows a state in its
/// node is tried next.
class IteratorWriter {
 public:
  IteratorWriter(const Iterator& iterator, const FunctionNames& names, loop::NameSupply local, bool seeks)
      : it_(iterator),
        coroutine_(iterator.coroutine_),
        structure_(iterator.structure_),
        names_(names),
        local_(std::move(local)),
        walk_{fresh("walk", loop::arena_type(iterator.record_))},
        node_(fresh("node", bits_type)),
        state_(fresh("state", int64_type)),
        slot_(fresh("slot", int64_type)),
        top_(fresh("top", int64_type)) {
    if (it_.needs_stack()) {
      walk_.nodes = fresh("frames", loop::array_type(Type::UInt32));
      walk_.states = fresh("frame_states", loop::array_type(Type::Int64));
      walk_.capacity = fresh("capacity", int64_type);
    }
    if (seeks) low_ = fresh("low", int64_type);
  }

  loop::Function write(const std::string& name) {
    Statements body;
    if (it_.needs_stack()) body.push_back(it_.set(walk_, "full", Expr(false)));
    body.push_back(loop::declare(node_, it_.get(walk_, "node")));
    body.push_back(loop::declare(state_, it_.get(walk_, "state")));
    if (has_slots()) body.push_back(loop::declare(slot_, it_.get(walk_, "slot")));
    if (it_.needs_stack()) body.push_back(loop::declare(top_, it_.get(walk_, "top")));
    Statements states;
    for (int s = 1; s <= coroutine_.count(); ++s) states.push_back(loop::if_then(is_at(s), state(s)));
    body.push_back(loop::while_loop(loop::ne(state_, 0), loop::block(std::move(states))));
    body.push_back(it_.set(walk_, "state", Expr(0)));
    std::vector<Var> parameters{walk_.record};
    if (it_.needs_stack()) parameters.insert(parameters.end(), {*walk_.nodes, *walk_.states, *walk_.capacity});
    const std::vector<Var> memory = it_.memory();
    parameters.insert(parameters.end(), memory.begin(), memory.end());
    if (low_) parameters.push_back(*low_);
    return {name, std::move(parameters), {}, loop::block(std::move(body))};
  }

 private:
  bool has_slots() const {
    for (int s = 1; s <= coroutine_.count(); ++s)
      if (coroutine_.at(s).is_array) return true;
    return false;
  }
  Expr is_at(int s) const { return loop::eq(state_, static_cast<std::int64_t>(s)); }
  Stmt go_to(int s) const { return loop::assign(state_, Expr(static_cast<std::int64_t>(s))); }
  const NodeRecord& record_of(const State& s) const { return structure_.node(s.node->name.text); }
  Var fresh(const std::string& name, const loop::IrType& type) { return Var(local_.unique(name), type); }

  SlotAccess access(const State& s, const Field& field, const Var& n) const {
    return {structure_, record_of(s), field, n};
  }

  Stmt state(int number) {
    const State& s = coroutine_.at(number);
    const NodeRecord& record = record_of(s);
    const Var n = fresh(s.node->name.text, loop::ref_type(record.record));
    Statements out{loop::comment(fmt::format("{}.{}", s.node->name.text, s.field->name.text)),
                   loop::declare(n, loop::as_ref(node_, record.record))};
    Statements here;
    if (s.is_child) descend(s, n, here);
    else hand_out(s, n, here);
    if (!s.first || !s.is_array) {
      out.insert(out.end(), here.begin(), here.end());
      return loop::block(std::move(out));
    }
    const Var count = fresh("count", int64_type);
    out.push_back(loop::declare(count, access(s, *s.field, n).count()));
    if (low_) leap(s, number, n, count, out);
    Statements done{loop::assign(slot_, 0), after(s)};
    out.push_back(loop::if_then(Expr(slot_) < Expr(count), loop::block(std::move(here)), loop::block(std::move(done))));
    return loop::block(std::move(out));
  }

  /// Passes over the slots whose elements are before `low`, and the children between them.
  void leap(const State& s, int number, const Var& n, const Var& count, Statements& out) {
    for (int k = number; k != 0; k = coroutine_.at(k).next) {
      const State& other = coroutine_.at(k);
      if (other.is_child || !schema::is_nonempty(*other.field)) continue;
      if (schema::differences_of(*other.field)) return leap_over_sums(other, n, count, out);
      const std::string& node = s.node->name.text;
      const std::vector<Var> memory = memory_of_search(structure_, record_of(s), other.field->name.text);
      const Expr found = dynamic::call(names_.lower_bound.at(node + "." + other.field->name.text), memory,
                                       {n, count, *low_}, int64_type);
      const Var first = fresh("first", int64_type);
      // What follows the element in its slot may be behind `low`.
      out.push_back(loop::declare(first, found));
      out.push_back(loop::assign(slot_, loop::max(slot_, other.next == 0 ? Expr(first) : Expr(first) - 1)));
      return;
    }
  }

  /// Slots that store differences are added up to the last one before `low`.
  void leap_over_sums(const State& s, const Var& n, const Var& count, Statements& out) {
    const Var c = fresh("c", loop::scalar_type(structure_.types.coordinate));
    const Expr next = Expr(c) + access(s, *s.field, n).difference(slot_);
    out.push_back(loop::declare(c, it_.get(walk_, "c")));
    out.push_back(loop::while_loop(Expr(slot_) < Expr(count) && loop::convert(next, Type::Int64) < Expr(*low_),
                                   loop::block({loop::assign(c, next), loop::increment(slot_)})));
    out.push_back(it_.set(walk_, "c", c));
  }

  /// The coordinate in a slot. Differences count from the element handed out before it, which is that before the slot.
  Expr coordinate_in(const State& s, const SlotAccess& element, const Expr& slot) const {
    if (!schema::differences_of(*s.field)) return element.coordinate(slot);
    return it_.get(walk_, "c") + element.difference(slot);
  }

  /// The statements that go on behind a slot.
  Statements behind(const State& s) {
    if (s.next != 0) return {go_to(s.next)};
    if (s.is_array) return {loop::increment(slot_), go_to(s.group)};
    return {after(s)};
  }

  Stmt after(const State& s) { return s.after != 0 ? go_to(s.after) : leave(); }

  /// Back to what is above the node.
  Stmt leave() {
    if (!it_.needs_stack()) return go_to(0);
    const std::int64_t states = states_in_frame(coroutine_);
    const Var frame = fresh("frame", int64_type);
    Statements up{loop::assign(top_, Expr(top_) - 1), loop::assign(node_, loop::load(*walk_.nodes, top_)),
                  loop::declare(frame, loop::load(*walk_.states, top_)),
                  loop::assign(state_, loop::bit_and(frame, states - 1))};
    if (has_slots()) up.push_back(loop::assign(slot_, Expr(frame) / states));
    return loop::if_then(loop::eq(top_, 0), go_to(0), loop::block(std::move(up)));
  }

  void hand_out(const State& s, const Var& n, Statements& out) {
    const SlotAccess element = access(s, *s.field, n);
    const Expr slot = s.is_array ? Expr(slot_) : Expr();
    const Var c = fresh("c", loop::scalar_type(structure_.types.coordinate));
    out.push_back(loop::declare(c, coordinate_in(s, element, slot)));
    out.push_back(it_.set(walk_, "c", c));
    out.push_back(it_.set(walk_, "v", element.value(slot)));
    if (structure_.types.places)
      out.push_back(
          it_.set(walk_, "place", place_of(structure_, s.node->name.text, s.field->name.text, n, slot, false)));
    const Statements next = behind(s);
    out.insert(out.end(), next.begin(), next.end());
    const Stmt stop = stop_here();
    // No coordinate is before `low`, which is not negative, so an empty slot, with -1, is passed over, too.
    if (low_) out.push_back(loop::if_then(loop::convert(c, Type::Int64) >= Expr(*low_), stop));
    else if (schema::is_nonempty(*s.field)) out.push_back(stop);
    else out.push_back(loop::if_then(Expr(c) >= loop::constant(structure_.types.coordinate, 0), stop));
  }

  Stmt stop_here() {
    Statements out{it_.set(walk_, "node", node_), it_.set(walk_, "state", state_)};
    if (has_slots()) out.push_back(it_.set(walk_, "slot", slot_));
    if (it_.needs_stack()) out.push_back(it_.set(walk_, "top", top_));
    out.push_back(loop::return_void());
    return loop::block(std::move(out));
  }

  void descend(const State& s, const Var& n, Statements& out) {
    const SlotAccess child = access(s, *s.field, n);
    const Var below = fresh("below", bits_type);
    out.push_back(loop::declare(below, child.bits(s.is_array ? Expr(slot_) : Expr())));
    Expr there = schema::is_nonempty(*s.field) ? Expr(true) : loop::ne(below, Expr(Scalar(loop::null_ref_bits)));
    if (low_) there = there && !is_before_low(s, n);
    Statements down;
    if (!s.is_tail()) push(s, down);
    enter(std::get<schema::ChildField>(s.field->type), below, down);
    out.push_back(loop::if_then(there, loop::block(std::move(down)), loop::block(behind(s))));
  }

  /// Whether all that a child holds is before `low`, for what comes behind it is.
  Expr is_before_low(const State& s, const Var& n) const {
    const int number = s.is_array ? s.next : s.after;
    if (number == 0) return Expr(false);
    const State& next = coroutine_.at(number);
    if (next.is_child || !schema::is_nonempty(*next.field)) return Expr(false);
    const SlotAccess element = access(next, *next.field, n);
    const Expr slot = s.is_array ? Expr(slot_) : next.is_array ? Expr(0) : Expr();
    const Expr before = loop::convert(element.coordinate(slot), Type::Int64) < Expr(*low_);
    return !s.is_array && next.is_array ? element.count() > Expr(0) && before : before;
  }

  void push(const State& s, Statements& out) {
    out.push_back(
        loop::if_then(loop::eq(top_, *walk_.capacity), loop::block({it_.set(walk_, "full", Expr(true)), stop_here()})));
    const std::int64_t states = states_in_frame(coroutine_);
    const int to = s.next != 0 ? s.next : s.is_array ? s.group : s.after;
    Expr frame(static_cast<std::int64_t>(to));
    if (s.is_array) frame = (s.next != 0 ? Expr(slot_) : Expr(slot_) + 1) * states + frame;
    out.push_back(loop::store(*walk_.nodes, top_, node_));
    out.push_back(loop::store(*walk_.states, top_, frame));
    out.push_back(loop::increment(top_));
  }

  /// Goes to the beginning of the node that a reference leads to, of whichever type it is.
  void enter(const schema::ChildField& child, const Var& below, Statements& out) {
    out.push_back(loop::assign(node_, index_of(structure_, child.type.text, below)));
    if (has_slots()) out.push_back(loop::assign(slot_, 0));
    out.push_back(by_type(structure_, child.type.text, below, [&](const NodeRecord& target) {
      const int begin = coroutine_.begin_of(target.node->name.text);
      return begin != 0 ? go_to(begin) : leave();
    }));
  }

  const Iterator& it_;
  const Coroutine& coroutine_;
  const Structure& structure_;
  const FunctionNames& names_;
  loop::NameSupply local_;  // before the variables, which take their names from it
  Walk walk_;
  Var node_, state_, slot_, top_;
  std::optional<Var> low_;
};

Iterator::Iterator(const Structure& structure, loop::NameSupply& names)
    : structure_(structure), coroutine_(structure.schema), record_(std::make_shared<loop::Record>()) {
  const auto named = [&](const std::string& name) { return names.unique(structure.types.prefixed(name)); };
  record_->name = named("walk");
  record_->fields = {{"node", bits_type}, {"state", int64_type}, {"slot", int64_type}};
  if (needs_stack()) {
    record_->fields.push_back({"top", int64_type});
    record_->fields.push_back({"full", loop::scalar_type(Type::Bool)});
  }
  record_->fields.push_back({"c", loop::scalar_type(structure.types.coordinate)});
  const loop::IrType& value = structure.types.value;
  record_->fields.push_back({"v", value.is_ref() ? loop::link_type(*value.record) : value});
  if (structure.types.places) record_->fields.push_back({"place", int64_type});
  next_ = named("next");
  seek_ = named("seek");
}

std::vector<loop::Function> Iterator::functions(const FunctionNames& names,
                                                const loop::NameSupply& module_names) const {
  return {IteratorWriter(*this, names, module_names, false).write(next_),
          IteratorWriter(*this, names, module_names, true).write(seek_)};
}

std::vector<Var> Iterator::memory() const {
  schema::Effects all;
  for (const NodeRecord& each : structure_.nodes) all.nodes.insert(each.node->name.text);
  for (const Pool& each : structure_.pools) all.arrays.insert(each.node + "." + each.size);
  return structure_.memory_of(all);
}

Expr Iterator::get(const Walk& walk, const char* field) const { return loop::load(walk.record, 0, {field, {}}); }

Stmt Iterator::set(const Walk& walk, const char* field, const Expr& value) const {
  return loop::store(walk.record, 0, {field, {}}, value);
}

Expr Iterator::live(const Walk& walk) const { return loop::ne(get(walk, "state"), 0); }
Expr Iterator::coordinate(const Walk& walk) const { return loop::convert(get(walk, "c"), Type::Int64); }
Expr Iterator::value(const Walk& walk) const { return get(walk, "v"); }
Expr Iterator::place(const Walk& walk) const { return get(walk, "place"); }

void Iterator::start(const Walk& walk, const Expr& root, Statements& out) const {
  const int begin = coroutine_.begin_of(schema::root_of(structure_.schema).name.text);
  out.push_back(set(walk, "node", loop::convert(root, Type::UInt32)));
  out.push_back(set(walk, "state", Expr(static_cast<std::int64_t>(begin))));
  out.push_back(set(walk, "slot", Expr(0)));
  if (needs_stack()) out.push_back(set(walk, "top", Expr(0)));
}

void Iterator::start_empty(const Walk& walk, Statements& out) const { out.push_back(set(walk, "state", Expr(0))); }

void Iterator::next(const Walk& walk, Statements& out) const { call(next_, walk, {}, out); }

void Iterator::seek(const Walk& walk, const Expr& coordinate, Statements& out) const {
  call(seek_, walk, {coordinate}, out);
}

/// Functions cannot make room, so they say that they need some and are called again.
void Iterator::call(const std::string& function, const Walk& walk, std::vector<Expr> arguments, Statements& out) const {
  std::vector<Expr> all{walk.record};
  if (needs_stack()) all.insert(all.end(), {*walk.nodes, *walk.states, *walk.capacity});
  for (const Var& each : memory()) all.emplace_back(each);
  all.insert(all.end(), arguments.begin(), arguments.end());
  const Stmt call = loop::evaluate(loop::invoke(function, std::move(all), {}));
  out.push_back(call);
  if (!needs_stack()) return;
  Statements again{loop::assign(*walk.capacity, Expr(*walk.capacity) * 2), loop::resize(*walk.nodes, *walk.capacity),
                   loop::resize(*walk.states, *walk.capacity), call};
  out.push_back(loop::while_loop(get(walk, "full"), loop::block(std::move(again))));
}

}  // namespace lacuna::dynamic
