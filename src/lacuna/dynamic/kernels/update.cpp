#include "lacuna/dynamic/kernels/update.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "lacuna/dynamic/kernels/arguments.h"
#include "lacuna/dynamic/kernels/entry_kernel.h"
#include "lacuna/dynamic/kernels/lookup.h"
#include "lacuna/dynamic/kernels/room.h"
#include "lacuna/lower/context/arithmetic.h"

namespace lacuna {
namespace {

using loop::Stmt;
using loop::Var;
using Statements = std::vector<Stmt>;

using loop::int64_type;
const loop::IrType bool_type = loop::scalar_type(Type::Bool);

/// Writes the kernel: a loop over the updates, each of which goes down level by level.
class UpdateWriter {
 public:
  explicit UpdateWriter(const UpdateRequest& request)
      : request_(request), names_(reserved_names()), levels_(request, names_), arguments_(request, levels_, names_) {
    for (int k = 0; k <= last(); ++k) places_.push_back(index(fmt::format("place{}", k + 1)));
  }

  Lowered write() {
    const Var n = index("n");
    update_ = n;
    Statements turn;
    if (keeps_places()) turn.push_back(loop::declare(same_, loop::Expr(n) > loop::Expr(0)));
    turn.push_back(descend(0, loop::Expr(0)));
    turn.push_back(loop::increment(n));
    turn.push_back(arguments_.set_count(counts().done(), n));
    Statements body = begin();
    body.push_back(loop::declare(n, loop::Expr(0)));
    body.push_back(loop::while_loop(loop::Expr(n) < loop::Expr(arguments_.count()), loop::block(std::move(turn))));
    for (Stmt& each : release_states(levels_)) body.push_back(std::move(each));
    return entry_kernel(std::move(body), description(), levels_, arguments_, names_);
  }

 private:
  int last() const { return levels_.last(); }
  bool only_places() const { return request_.part == UpdatePart::Places; }
  bool only_searches(int k) const { return std::string_view(function_at(request_, k)) == "find"; }
  bool erases() const { return request_.operation == UpdateOperation::Erase; }
  const UpdateCounts& counts() const { return arguments_.counts(); }
  LevelRoom room(int k) { return LevelRoom(levels_[k], names_, arguments_.may_grow()); }
  Var index(const std::string& name) { return Var(names_.unique(name), int64_type); }
  const Var& place_of(int k) const { return places_[static_cast<std::size_t>(k)]; }

  std::string description() const {
    const char* what = request_.operation == UpdateOperation::Add      ? "adds to entries"
                       : request_.operation == UpdateOperation::Assign ? "sets entries"
                                                                       : "erases entries";
    const char* part = request_.part == UpdatePart::Entries ? ", whose places above the last level are there" : "";
    if (only_places()) what = "makes the places above the last level";
    return fmt::format("{} of {}{}", what, request_.format.to_string(), part);
  }

  /// The places of levels above the last one are kept from one update to the next.
  bool keeps_place(int k) const { return levels_.is_dynamic(k) && k < last(); }
  bool keeps_places() const {
    for (int k = 0; k < last(); ++k)
      if (keeps_place(k)) return true;
    return false;
  }

  Statements begin() {
    Statements out;
    for (int k = 0; k <= last(); ++k)
      if (keeps_place(k)) out.push_back(loop::declare(place_of(k), loop::Expr(0)));
    for (Stmt& each : make_states(levels_)) out.push_back(std::move(each));
    return out;
  }

  loop::Expr coordinate(int k) const { return arguments_.coordinate(k, update_); }
  loop::Expr given() const { return arguments_.given(update_); }

  /// The update from level k on, under a position of the level above.
  Stmt descend(int k, const loop::Expr& parent) {
    if (only_places() && levels_.below(k - 1) == last()) return nullptr;
    if (k == last() && levels_.is_dynamic(k)) return erases() ? erase(parent) : insert(parent);
    Statements out;
    if (levels_.is_dynamic(k)) {
      const Var& place = place_of(k);
      out.push_back(compare(k));
      out.push_back(loop::if_then(!loop::Expr(same_), only_searches(k) ? find(k, parent) : find_or_make(k, parent)));
      const Stmt inside = descend(k + 1, place);
      out.push_back(only_searches(k) ? loop::if_then(loop::Expr(place) >= loop::Expr(0), inside) : inside);
      return loop::block(std::move(out));
    }
    const Var p = index(fmt::format("p{}", k + 1));
    out.push_back(loop::declare(p, arguments_.dense_position(k, parent, update_)));
    out.push_back(k == last() ? store(p) : descend(k + 1, p));
    return loop::block(std::move(out));
  }

  /// Whether the update before was under the same place, down to level k.
  Stmt compare(int k) {
    loop::Expr all = same_;
    for (int j = compared_; j <= k; ++j)
      all = all && loop::eq(coordinate(j), arguments_.coordinate(j, loop::Expr(update_) - loop::Expr(1)));
    compared_ = k + 1;
    return loop::assign(same_, all);
  }

  /// Where the element at `at` of level k leads to.
  loop::Expr child_at(int k, const Var& at) const {
    return loop::convert(dynamic::value_at(levels_[k].structure(), at), Type::Int64);
  }

  Stmt find(int k, const loop::Expr& parent) {
    const Var at = index("at");
    return loop::block({loop::declare(at, levels_[k].call("find", {room(k).root_at(parent), coordinate(k)})),
                        loop::if_then(dynamic::is_nothing(at), loop::assign(place_of(k), loop::Expr(-1)),
                                      loop::assign(place_of(k), child_at(k, at)))});
  }

  /// All room is made before anything changes, so that the kernel may stop.
  Stmt find_or_make(int k, const loop::Expr& parent) {
    const Var at = index("at"), place = place_of(k);
    const int next = levels_.below(k);
    const loop::Expr block = arguments_.extents(k + 1, next);
    const Var first = index("first");
    Statements out;
    if (next > last()) out.push_back(room_for_values(k, block));
    else out.push_back(room(next).for_roots(block));
    for (Stmt& each : room(k).for_call("insert")) out.push_back(std::move(each));
    out.push_back(loop::assign(place, arguments_.counted(k)));
    out.push_back(loop::declare(
        at, levels_[k].call("insert", {room(k).root_at(parent), coordinate(k), levels_.reference(k, place)})));
    Statements made{arguments_.count_more(k), loop::declare(first, times(place, block))};
    if (next > last()) {
      made.push_back(
          loop::fill(arguments_.values(), first, plus(first, block), loop::Expr(Scalar::zero(request_.type))));
      made.push_back(arguments_.count_more(counts().changed()));
    } else {
      made.push_back(room(next).make_roots(first, block));
    }
    out.push_back(
        loop::if_then(dynamic::is_added(at), loop::block(std::move(made)), loop::assign(place, child_at(k, at))));
    return loop::block(std::move(out));
  }

  Stmt room_for_values(int k, const loop::Expr& block) {
    const Var room = index("values_room");
    const loop::Expr had = arguments_.counted(counts().capacity());
    const Stmt grow = loop::block({loop::if_then(loop::eq(arguments_.may_grow(), loop::Expr(0)), loop::break_loop()),
                                   loop::declare(room, loop::max(had * loop::Expr(2), loop::Expr(64))),
                                   loop::resize(arguments_.values(), times(room, block)),
                                   arguments_.set_count(counts().capacity(), room)});
    return loop::if_then(arguments_.counted(k) >= had, grow);
  }

  /// What the entry holds then that held `old`.
  loop::Expr updated(const loop::Expr& old) const {
    return request_.operation == UpdateOperation::Add ? loop::value_op(loop::BinaryOp::Add, old, given()) : given();
  }

  Stmt insert(const loop::Expr& parent) {
    const Var at = index("at");
    const int k = last();
    const dynamic::Structure& structure = levels_[k].structure();
    Statements out = room(k).for_call("insert");
    out.push_back(loop::declare(at, levels_[k].call("insert", {room(k).root_at(parent), coordinate(k), given()})));
    out.push_back(loop::if_then(dynamic::is_added(at),
                                loop::block({arguments_.count_more(k), arguments_.count_more(counts().changed())}),
                                dynamic::store_value(structure, at, updated(dynamic::value_at(structure, at)))));
    return loop::block(std::move(out));
  }

  Stmt erase(const loop::Expr& parent) {
    const Var erased(names_.unique("erased"), bool_type);
    const int k = last();
    Statements out = room(k).for_call("erase");
    out.push_back(loop::declare(erased, levels_[k].call("erase", {room(k).root_at(parent), coordinate(k)})));
    out.push_back(
        loop::if_then(erased, loop::block({arguments_.count_more(k, -1), arguments_.count_more(counts().changed())})));
    return loop::block(std::move(out));
  }

  Stmt store(const loop::Expr& position) const {
    return loop::store(arguments_.values(), position, updated(loop::load(arguments_.values(), position)));
  }

  const UpdateRequest& request_;
  loop::NameSupply names_;
  UpdateLevels levels_;
  UpdateArguments arguments_;
  std::vector<Var> places_;  // by level: the position that the update at hand is under
  Var update_{"n", int64_type};
  Var same_{names_.unique("same"), bool_type};  // whether the update before was under the same place so far
  int compared_ = 0;                            // levels whose coordinates `same` has looked at
};

}  // namespace

bool updates_in_place(const Format& format) {
  return format.has_nodes() && std::all_of(format.levels().begin(), format.levels().end(),
                                           [](const LevelFormat& each) { return each.is_dynamic() || each.full(); });
}

Lowered lower_update(const UpdateRequest& request) {
  return request.operation == UpdateOperation::Find ? lower_lookup(request) : UpdateWriter(request).write();
}

}  // namespace lacuna
