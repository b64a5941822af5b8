#include "lacuna/dynamic/kernels/lookup.h"

#include <fmt/format.h>

#include "lacuna/dynamic/kernels/arguments.h"
#include "lacuna/dynamic/kernels/entry_kernel.h"

namespace lacuna {
namespace {

using dynamic::DynamicLevel;
using loop::Stmt;
using loop::Var;
using Statements = std::vector<Stmt>;

using loop::int64_type;

/// Writes the kernel: a loop over the coordinates, each of which is followed down level by level.
class LookupWriter {
 public:
  explicit LookupWriter(const UpdateRequest& request)
      : names_(reserved_names()), levels_(request, names_), arguments_(request, levels_, names_) {}

  Lowered write() {
    Statements body = make_states(levels_);
    body.push_back(loop::for_loop(at_, loop::Expr(0), arguments_.count(), descend(0, loop::Expr(0))));
    for (Stmt& each : release_states(levels_)) body.push_back(std::move(each));
    return entry_kernel(std::move(body), fmt::format("finds entries of {}", levels_.format().to_string()), levels_,
                        arguments_, names_);
  }

 private:
  Var index(const std::string& name) { return Var(names_.unique(name), int64_type); }
  loop::Expr coordinate(int k) const { return arguments_.coordinate(k, at_); }

  /// From level k on, under a position of the level above.
  Stmt descend(int k, const loop::Expr& parent) {
    if (k > levels_.last()) return arguments_.store_found(at_, loop::load(arguments_.values(), parent));
    if (levels_.is_dynamic(k)) return search(k, parent);
    const Var p = index(fmt::format("p{}", k + 1));
    return loop::block({loop::declare(p, arguments_.dense_position(k, parent, at_)), descend(k + 1, p)});
  }

  Stmt search(int k, const loop::Expr& parent) {
    const Var place = index(fmt::format("place{}", k + 1));
    const DynamicLevel& level = levels_[k];
    const loop::Expr root = loop::as_ref(parent, level.root_type().record);
    const loop::Expr value = dynamic::value_at(level.structure(), place);
    Stmt there;
    if (k == levels_.last()) {
      there = arguments_.store_found(at_, value);
    } else {
      const Var p = index(fmt::format("p{}", k + 1));
      there = loop::block({loop::declare(p, loop::convert(value, Type::Int64)), descend(k + 1, p)});
    }
    return loop::block({loop::declare(place, level.call("find", {root, coordinate(k)})),
                        loop::if_then(!dynamic::is_nothing(place), std::move(there))});
  }

  loop::NameSupply names_;
  UpdateLevels levels_;
  UpdateArguments arguments_;
  Var at_{names_.unique("n"), int64_type};
};

}  // namespace

Lowered lower_lookup(const UpdateRequest& request) { return LookupWriter(request).write(); }

}  // namespace lacuna
