#include "lacuna/lower/update/lookup.h"

#include <optional>

#include <fmt/format.h>

#include "lacuna/format/schema/load.h"
#include "lacuna/lower/arithmetic.h"
#include "lacuna/lower/levels/dynamic/dynamic_level.h"
#include "lacuna/lower/reached.h"

namespace lacuna {
namespace {

using dynamic::DynamicLevel;
using loop::Expr;
using loop::Stmt;
using loop::Var;
using Statements = std::vector<Stmt>;

const loop::IrType int64_type = loop::scalar_type(Type::Int64);

/// Writes the kernel: a loop over the coordinates, each of which is followed down level by level.
class LookupWriter {
 public:
  explicit LookupWriter(const UpdateRequest& request)
      : request_(request), format_(request.format), last_(format_.order() - 1) {
    for (const char* name : {"kernel", "tensor", "batch"}) names_.reserve(name);
    make_levels();
    make_parameters();
  }

  Lowered write() {
    Statements body;
    for_each_state([&](const Var& state) {
      body.push_back(loop::declare_array(state));
      body.push_back(loop::allocate(state, Expr(1), true));
    });
    body.push_back(loop::for_loop(at_, Expr(0), *count_, descend(0, Expr(0))));
    for_each_state([&](const Var& state) { body.push_back(loop::release(state)); });

    Lowered out;
    out.module.name = "kernel";
    out.module.description = fmt::format("finds entries of {}", format_.to_string());
    out.module.arguments = {"tensor", "batch"};
    std::vector<std::shared_ptr<const loop::Record>> records;
    std::vector<loop::Function> functions;
    for (const auto& level : levels_) {
      if (level == nullptr) continue;
      for (auto& record : level->records()) records.push_back(std::move(record));
      for (loop::Function& each : level->functions(names_)) functions.push_back(std::move(each));
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
  const DynamicLevel& level(int k) const { return *levels_[static_cast<std::size_t>(k)]; }
  Var index(const std::string& name) { return Var(names_.unique(name), int64_type); }
  Expr coordinate(int k) const { return loop::load(coordinates_[static_cast<std::size_t>(k)], at_); }

  template <typename Visit>
  void for_each_state(const Visit& visit) const {
    for (const auto& level : levels_)
      if (level != nullptr && !level->structure().state.empty()) visit(level->structure().state.front());
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
      const schema::LevelFile& file = *format_.level(k).definition;
      if (find_function(file.program, "find") == nullptr)
        user_error("entries of the format {} cannot be looked up: level {}, {}, has no function find",
                   format_.to_string(), k + 1, file.path.string());
      const schema::ElementTypes types =
          schema::element_types(format_, k, request_.coordinates[static_cast<std::size_t>(k)], request_.type);
      dynamic::LevelTypes for_code{fmt::format("t{}", k + 1), types.coordinate,
                                   root ? *root : loop::scalar_type(types.value)};
      auto code = std::make_unique<DynamicLevel>(file.definition.nodes, file.program, std::move(for_code), names_);
      root = code->root_type();
      levels_[static_cast<std::size_t>(k)] = std::move(code);
    }
  }

  Var parameter(const std::string& name, loop::IrType type, const std::string& place, Slot slot, bool written = false) {
    return parameter(Var(names_.unique(name), std::move(type)), place, slot, written);
  }
  Var parameter(const Var& var, const std::string& place, Slot slot, bool written) {
    parameters_.push_back({var, place, false, written});
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
                  {0, k, DescriptorField::Nodes, a}, false);
    }
    if (!is_dynamic(last_))
      values_ =
          parameter("vals", loop::array_type(request_.type), "tensor->vals.data", {0, 0, DescriptorField::Values, 0});
    count_ = parameter("count", int64_type, "batch->levels[0].positions", {1, 0, DescriptorField::Positions, 0});
    for (int k = 0; k <= last_; ++k)
      coordinates_.push_back(parameter(fmt::format("crd{}", k + 1),
                                       loop::array_type(request_.coordinates[static_cast<std::size_t>(k)]),
                                       fmt::format("batch->levels[{}].crd.data", k), {1, k, DescriptorField::Crd, 0}));
    found_ = parameter("found", loop::array_type(request_.type), "batch->vals.data", {1, 0, DescriptorField::Values, 0},
                       true);
    present_ = parameter("present", loop::array_type(Type::UInt8), "batch->levels[0].present.data",
                         {1, 0, DescriptorField::Present, 0}, true);
  }

  /// From level k on, under a position of the level above.
  Stmt descend(int k, const Expr& parent) {
    if (k > last_) return found(loop::load(*values_, parent));
    if (is_dynamic(k)) return search(k, parent);
    const Var p = index(fmt::format("p{}", k + 1));
    const Expr c = loop::convert(coordinate(k), Type::Int64);
    const Expr position = loop::is_constant(parent, 0) ? c : parent * Expr(*extents_[static_cast<std::size_t>(k)]) + c;
    return loop::block({loop::declare(p, position), descend(k + 1, p)});
  }

  Stmt search(int k, const Expr& parent) {
    const Var place = index(fmt::format("place{}", k + 1));
    const dynamic::Structure& structure = level(k).structure();
    const Expr root = loop::as_ref(parent, level(k).root_type().record);
    const Expr value = dynamic::value_at(structure, place);
    Stmt there;
    if (k == last_) {
      there = found(value);
    } else {
      const Var p = index(fmt::format("p{}", k + 1));
      there = loop::block({loop::declare(p, loop::convert(value, Type::Int64)), descend(k + 1, p)});
    }
    return loop::block({loop::declare(place, level(k).call("find", {root, coordinate(k)})),
                        loop::if_then(!dynamic::is_nothing(place), std::move(there))});
  }

  Stmt found(const Expr& value) const {
    return loop::block(
        {loop::store(*found_, at_, value), loop::store(*present_, at_, Expr(Scalar(1).convert(Type::UInt8)))});
  }

  const UpdateRequest& request_;
  const Format& format_;
  int last_;
  loop::NameSupply names_;
  std::vector<std::unique_ptr<DynamicLevel>> levels_;  // null where dense
  std::vector<loop::Parameter> parameters_;
  std::vector<Slot> slots_;
  std::vector<std::optional<Var>> extents_;  // by level; of dense ones
  std::vector<Var> coordinates_;             // by level
  std::optional<Var> values_, count_, found_, present_;
  Var at_{names_.unique("n"), int64_type};
};

}  // namespace

Lowered lower_lookup(const UpdateRequest& request) {
  internal_check(updates_in_place(request.format), "{} is not looked up so", request.format.to_string());
  return LookupWriter(request).write();
}

}  // namespace lacuna
