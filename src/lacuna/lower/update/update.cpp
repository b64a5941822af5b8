#include "lacuna/lower/update/update.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "lacuna/format/schema/load.h"
#include "lacuna/lower/arithmetic.h"
#include "lacuna/lower/reached.h"
#include "lacuna/lower/update/lookup.h"
#include "lacuna/lower/update/room.h"

namespace lacuna {
namespace {

using dynamic::DynamicLevel;
using loop::Expr;
using loop::Stmt;
using loop::Var;
using Statements = std::vector<Stmt>;

const loop::IrType int64_type = loop::scalar_type(Type::Int64);
const loop::IrType bool_type = loop::scalar_type(Type::Bool);

const char* function_of(UpdateOperation operation) { return operation == UpdateOperation::Erase ? "erase" : "insert"; }

/// Writes the kernel: a loop over the updates, each of which goes down level by level.
class UpdateWriter {
 public:
  explicit UpdateWriter(const UpdateRequest& request)
      : request_(request), format_(request.format), last_(format_.order() - 1), counts_{format_.order()} {
    for (const char* name : {"kernel", "tensor", "batch"}) names_.reserve(name);
    check();
    make_levels();
    make_parameters();
    for (int k = 0; k <= last_; ++k) places_.push_back(index(fmt::format("place{}", k + 1)));
  }

  Lowered write() {
    const Var n = index("n");
    update_ = n;
    Statements turn;
    if (keeps_places()) turn.push_back(loop::declare(same_, Expr(n) > Expr(0)));
    turn.push_back(descend(0, Expr(0)));
    turn.push_back(loop::increment(n));
    turn.push_back(loop::store(*out_counts_, Expr(counts_.done()), n));
    Statements body = begin();
    body.push_back(loop::declare(n, Expr(0)));
    body.push_back(loop::while_loop(Expr(n) < Expr(*count_), loop::block(std::move(turn))));
    end(body);

    Lowered out;
    out.module.name = "kernel";
    out.module.description = description();
    out.module.arguments = {"tensor", "batch"};
    std::vector<std::shared_ptr<const loop::Record>> records;
    std::vector<loop::Function> functions;
    for (int k = 0; k <= last_; ++k) {
      if (!is_dynamic(k)) continue;
      for (auto& record : level(k).records()) records.push_back(std::move(record));
      for (loop::Function& each : level(k).functions(names_)) functions.push_back(std::move(each));
    }
    out.module.parameters = std::move(parameters_);
    out.module.body = loop::block(std::move(body));
    out.module.functions = called_functions(std::move(functions), out.module.body);
    out.module.records = used_records(std::move(records), out.module);
    out.slots = std::move(slots_);
    return out;
  }

 private:
  bool is_dynamic(int k) const { return format_.level(k).is_dynamic(); }
  bool erases() const { return request_.operation == UpdateOperation::Erase; }
  const DynamicLevel& level(int k) const { return *levels_[static_cast<std::size_t>(k)]; }
  LevelRoom room(int k) { return LevelRoom(level(k), format_.level(k).definition->program, names_, *may_grow_); }
  Var index(const std::string& name) { return Var(names_.unique(name), int64_type); }

  std::string description() const {
    const char* what = request_.operation == UpdateOperation::Add      ? "adds to entries"
                       : request_.operation == UpdateOperation::Assign ? "sets entries"
                                                                       : "erases entries";
    return fmt::format("{} of {}", what, format_.to_string());
  }

  void check() const {
    internal_check(updates_in_place(format_), "{} is not updated in place", format_.to_string());
    if (erases() && !is_dynamic(last_))
      user_error(
          "nothing can be erased from the format {}: its last level is dense, which stores every coordinate; assign 0 "
          "instead",
          format_.to_string());
    for (int k = 0; k <= last_; ++k) {
      if (!is_dynamic(k)) continue;
      const char* needed = erases() && k < last_ ? "find" : function_of(request_.operation);
      if (find_function(format_.level(k).definition->program, needed) == nullptr)
        user_error("level {} of the format {} cannot be changed so: {} has no function {}", k + 1, format_.to_string(),
                   format_.level(k).definition->path.string(), needed);
    }
  }

  /// Innermost first: the elements of a level above refer to roots.
  void make_levels() {
    levels_.resize(static_cast<std::size_t>(format_.order()));
    std::optional<loop::IrType> root;
    for (int k = last_; k >= 0; --k) {
      if (!is_dynamic(k)) {
        root.reset();
        continue;
      }
      const schema::ElementTypes types =
          schema::element_types(format_, k, request_.coordinates[static_cast<std::size_t>(k)], request_.type);
      dynamic::LevelTypes for_code{fmt::format("t{}", k + 1), types.coordinate,
                                   root ? *root : loop::scalar_type(types.value)};
      const schema::LevelFile& file = *format_.level(k).definition;
      auto code = std::make_unique<DynamicLevel>(file.definition.nodes, file.program, std::move(for_code), names_);
      root = code->root_type();
      levels_[static_cast<std::size_t>(k)] = std::move(code);
    }
  }

  Var parameter(const std::string& name, loop::IrType type, const std::string& place, Slot slot, bool out = false) {
    return parameter(Var(names_.unique(name), std::move(type)), place, slot, out);
  }
  Var parameter(const Var& var, const std::string& place, Slot slot, bool out) {
    parameters_.push_back({var, place, out, out});
    slots_.push_back(slot);
    return var;
  }

  void make_parameters() {
    for (int k = 0; k <= last_; ++k) {
      if (!is_dynamic(k)) {
        extents_.push_back(parameter(fmt::format("t{}_extent", k + 1), int64_type,
                                     fmt::format("tensor->levels[{}].extent", k), {0, k, DescriptorField::Extent, 0}));
        continue;
      }
      extents_.emplace_back(std::nullopt);
      const dynamic::Structure& structure = level(k).structure();
      for (std::size_t a = 0; a < structure.layout.arrays; ++a)
        parameter(structure.array(a), fmt::format("tensor->levels[{}].nodes[{}].data", k, a),
                  {0, k, DescriptorField::Nodes, a}, true);
    }
    if (!is_dynamic(last_))
      values_ = parameter("vals", loop::array_type(request_.type), "tensor->vals.data",
                          {0, 0, DescriptorField::Values, 0}, true);
    count_ = parameter("count", int64_type, "batch->levels[0].positions", {1, 0, DescriptorField::Positions, 0});
    may_grow_ = parameter("may_grow", int64_type, "batch->levels[0].extent", {1, 0, DescriptorField::Extent, 0});
    for (int k = 0; k <= last_; ++k) {
      const Type type = request_.coordinates[static_cast<std::size_t>(k)];
      coordinates_.push_back(parameter(fmt::format("crd{}", k + 1), loop::array_type(type),
                                       fmt::format("batch->levels[{}].crd.data", k), {1, k, DescriptorField::Crd, 0}));
    }
    if (!erases())
      given_ =
          parameter("given", loop::array_type(request_.type), "batch->vals.data", {1, 0, DescriptorField::Values, 0});
    out_counts_ = parameter("counts", loop::array_type(Type::Int64), "batch->levels[0].pos.data",
                            {1, 0, DescriptorField::Pos, 0});
    parameters_.back().written = true;
  }

  /// The places of levels above the last one are kept from one update to the next.
  bool keeps_place(int k) const { return is_dynamic(k) && k < last_; }
  bool keeps_places() const {
    for (int k = 0; k < last_; ++k)
      if (keeps_place(k)) return true;
    return false;
  }

  Statements begin() {
    Statements out;
    for (int k = 0; k <= last_; ++k) {
      if (keeps_place(k)) out.push_back(loop::declare(places_[static_cast<std::size_t>(k)], Expr(0)));
      if (!is_dynamic(k) || level(k).structure().state.empty()) continue;
      const Var state = level(k).structure().state.front();
      out.push_back(loop::declare_array(state));
      out.push_back(loop::allocate(state, Expr(1), true));
    }
    return out;
  }
  void end(Statements& out) const {
    for (int k = 0; k <= last_; ++k)
      if (is_dynamic(k) && !level(k).structure().state.empty())
        out.push_back(loop::release(level(k).structure().state.front()));
  }

  Expr coordinate(int k) const { return loop::load(coordinates_[static_cast<std::size_t>(k)], update_); }
  Expr given() const { return loop::load(*given_, update_); }
  Expr entries(int k) const { return loop::load(*out_counts_, Expr(k)); }
  Stmt count(int k, int by = 1) const {
    return loop::store(*out_counts_, Expr(k), loop::load(*out_counts_, Expr(k)) + Expr(by));
  }

  /// The update from level k on, under a position of the level above.
  Stmt descend(int k, const Expr& parent) {
    if (k == last_ && is_dynamic(k)) return erases() ? erase(parent) : insert(parent);
    Statements out;
    if (is_dynamic(k)) {
      out.push_back(compare(k));
      const Var place = places_[static_cast<std::size_t>(k)];
      out.push_back(loop::if_then(!Expr(same_), erases() ? find(k, parent) : find_or_make(k, parent)));
      if (!erases()) out.push_back(descend(k + 1, place));
      else out.push_back(loop::if_then(Expr(place) >= Expr(0), descend(k + 1, place)));
      return loop::block(std::move(out));
    }
    const Var p = index(fmt::format("p{}", k + 1));
    const Expr c = loop::convert(coordinate(k), Type::Int64);
    out.push_back(
        loop::declare(p, loop::is_constant(parent, 0) ? c : parent * Expr(*extents_[static_cast<std::size_t>(k)]) + c));
    out.push_back(k == last_ ? store(p) : descend(k + 1, p));
    return loop::block(std::move(out));
  }

  /// Whether the update before was under the same place, down to level k.
  Stmt compare(int k) {
    Expr all = same_;
    for (int j = compared_; j <= k; ++j)
      all = all &&
            loop::eq(coordinate(j), loop::load(coordinates_[static_cast<std::size_t>(j)], Expr(update_) - Expr(1)));
    compared_ = k + 1;
    return loop::assign(same_, all);
  }

  Stmt find(int k, const Expr& parent) {
    const Var at = index("at");
    const Var place = places_[static_cast<std::size_t>(k)];
    const Expr child = loop::convert(dynamic::value_at(level(k).structure(), at), Type::Int64);
    return loop::block(
        {loop::declare(at, level(k).call("find", {room(k).root_at(parent), coordinate(k)})),
         loop::if_then(dynamic::is_nothing(at), loop::assign(place, Expr(-1)), loop::assign(place, child))});
  }

  /// All room is made before anything changes, so that the kernel may stop.
  Stmt find_or_make(int k, const Expr& parent) {
    const Var at = index("at"), place = places_[static_cast<std::size_t>(k)];
    const int next = below(k);
    const Expr block = extents_between(k + 1, next);
    const Var first = index("first");
    Statements out;
    if (next > last_) out.push_back(room_for_values(k, block));
    else out.push_back(room(next).for_roots(block));
    for (Stmt& each : room(k).for_call("insert")) out.push_back(std::move(each));
    out.push_back(loop::assign(place, entries(k)));
    out.push_back(
        loop::declare(at, level(k).call("insert", {room(k).root_at(parent), coordinate(k), reference(k, place)})));
    Statements made{count(k), loop::declare(first, times(place, block))};
    if (next > last_) {
      made.push_back(loop::fill(*values_, first, plus(first, block), Expr(Scalar::zero(request_.type))));
      made.push_back(count(counts_.changed()));
    } else {
      made.push_back(room(next).make_roots(first, block));
    }
    out.push_back(
        loop::if_then(dynamic::is_added(at), loop::block(std::move(made)),
                      loop::assign(place, loop::convert(dynamic::value_at(level(k).structure(), at), Type::Int64))));
    return loop::block(std::move(out));
  }

  /// What an element of level k holds that leads to a position.
  Expr reference(int k, const Expr& position) const {
    const loop::IrType& type = level(k).structure().types.value;
    return type.is_ref() ? loop::as_ref(position, type.record) : loop::convert(position, type.scalar);
  }

  Stmt room_for_values(int k, const Expr& block) {
    const Var room = index("values_room");
    const Expr had = loop::load(*out_counts_, Expr(counts_.capacity()));
    const Stmt grow = loop::block({loop::if_then(loop::eq(*may_grow_, Expr(0)), loop::break_loop()),
                                   loop::declare(room, loop::max(had * Expr(2), Expr(64))),
                                   loop::resize(*values_, times(room, block)),
                                   loop::store(*out_counts_, Expr(counts_.capacity()), room)});
    return loop::if_then(entries(k) >= had, grow);
  }

  Stmt insert(const Expr& parent) {
    const Var at = index("at");
    const dynamic::Structure& structure = level(last_).structure();
    Statements out = room(last_).for_call("insert");
    out.push_back(
        loop::declare(at, level(last_).call("insert", {room(last_).root_at(parent), coordinate(last_), given()})));
    const Expr value = request_.operation == UpdateOperation::Add
                           ? loop::value_op(loop::BinaryOp::Add, dynamic::value_at(structure, at), given())
                           : given();
    out.push_back(loop::if_then(dynamic::is_added(at), loop::block({count(last_), count(counts_.changed())}),
                                dynamic::store_value(structure, at, value)));
    return loop::block(std::move(out));
  }

  Stmt erase(const Expr& parent) {
    const Var erased(names_.unique("erased"), bool_type);
    Statements out = room(last_).for_call("erase");
    out.push_back(loop::declare(erased, level(last_).call("erase", {room(last_).root_at(parent), coordinate(last_)})));
    out.push_back(loop::if_then(erased, loop::block({count(last_, -1), count(counts_.changed())})));
    return loop::block(std::move(out));
  }

  Stmt store(const Expr& position) const {
    const Expr value = request_.operation == UpdateOperation::Add
                           ? loop::value_op(loop::BinaryOp::Add, loop::load(*values_, position), given())
                           : given();
    return loop::store(*values_, position, value);
  }

  /// The next level below that is dynamic; past the last where there is none.
  int below(int k) const {
    for (++k; k <= last_ && !is_dynamic(k);) ++k;
    return k;
  }
  Expr extents_between(int first, int past) const {
    Expr product(1);
    for (int k = first; k < past; ++k) product = times(product, *extents_[static_cast<std::size_t>(k)]);
    return product;
  }

  const UpdateRequest& request_;
  const Format& format_;
  int last_;
  UpdateCounts counts_;
  loop::NameSupply names_;
  std::vector<std::unique_ptr<DynamicLevel>> levels_;  // null where dense
  std::vector<loop::Parameter> parameters_;
  std::vector<Slot> slots_;
  std::vector<std::optional<Var>> extents_;  // by level; of dense ones
  std::vector<Var> coordinates_;             // by level
  std::optional<Var> values_, count_, may_grow_, given_, out_counts_;
  std::vector<Var> places_;  // by level: the position that the update at hand is under
  Var update_{"n", int64_type};
  Var same_{names_.unique("same"), bool_type};  // whether the update before was under the same place so far
  int compared_ = 0;                            // levels whose coordinates `same` has looked at
};

}  // namespace

bool updates_in_place(const Format& format) {
  return format.has_nodes() && std::all_of(format.levels().begin(), format.levels().end(), [](const LevelFormat& each) {
           return each.is_dynamic() || each.kind == LevelKind::Dense;
         });
}

Lowered lower_update(const UpdateRequest& request) {
  return request.operation == UpdateOperation::Find ? lower_lookup(request) : UpdateWriter(request).write();
}

}  // namespace lacuna
