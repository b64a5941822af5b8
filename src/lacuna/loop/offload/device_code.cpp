#include "lacuna/loop/offload/device_code.h"

#include "lacuna/loop/build.h"
#include "lacuna/loop/own_sums.h"
#include "lacuna/loop/walk.h"
#include "lacuna/support/check.h"

namespace lacuna::loop::offloading {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  user_error("this schedule cannot run on a device: its threads would have to {}", what);
}

class DeviceCode : public Rewriter {
 public:
  DeviceCode(const std::map<Var, Part>& parts, const std::map<Var, Var>& renamed) : parts_(parts), renamed_(renamed) {}

 protected:
  Expr rebuilt(Expr expr) override {
    const auto& kind = expr.node().kind;
    if (const auto* use = std::get_if<VarUse>(&kind)) {
      if (parts_.contains(use->var)) refuse("give memory of their own to a function");
      const auto found = renamed_.find(use->var);
      return found == renamed_.end() ? expr : Expr(found->second);
    }
    if (const auto* read = std::get_if<Load>(&kind)) {
      const Part* part = part_of(read->array);
      return part == nullptr ? expr : load(part->all, at(*part, read->index));
    }
    if (const auto* search = std::get_if<LowerBound>(&kind)) return in_part(*search, expr);
    if (std::holds_alternative<Dot>(kind)) refuse("call BLAS");
    return expr;
  }

  Stmt rebuilt(Stmt stmt) override {
    return std::visit([&](const auto& node) { return device(node, stmt); }, stmt->kind);
  }

 private:
  const Part* part_of(const Var& array) const {
    const auto found = parts_.find(array);
    return found == parts_.end() ? nullptr : &found->second;
  }
  static Expr at(const Part& part, const Expr& index) { return part.first + convert(index, Type::Int64); }
  Var name_of(const Var& var) const {
    const auto found = renamed_.find(var);
    return found == renamed_.end() ? var : found->second;
  }

  Expr in_part(const LowerBound& search, const Expr& expr) const {
    const Part* part = part_of(search.array);
    if (part == nullptr) return expr;
    const auto find = search.near ? lower_bound_near : lower_bound;
    return convert(
        convert(find(part->all, at(*part, search.low), at(*part, search.high), search.key), Type::Int64) - part->first,
        expr.scalar());
  }

  template <typename Node>
  Stmt device(const Node&, const Stmt& stmt) const {
    return stmt;
  }
  Stmt device(const Declare& node, const Stmt& stmt) const {
    if (node.var.type().is_memory() && node.size == 0) {
      if (part_of(node.var) == nullptr) refuse("allocate memory");
      return block({});
    }
    return stmt;
  }
  Stmt device(const Assign& node, const Stmt& stmt) const {
    return renamed_.contains(node.var) ? assign(name_of(node.var), node.value) : stmt;
  }
  Stmt device(const Store& node, const Stmt& stmt) const {
    const Part* part = part_of(node.array);
    if (part == nullptr && !node.past_caches.defined()) return stmt;
    Store changed = node;
    changed.past_caches = Expr();
    if (part != nullptr) {
      changed.array = part->all;
      changed.index = at(*part, node.index);
    }
    return make_stmt(std::move(changed));
  }
  Stmt device(const Sort& node, const Stmt& stmt) const {
    const Part* part = part_of(node.array);
    if (part == nullptr && !node.marks) return stmt;
    // Marks say which elements there are, which sorting these does without.
    if (part == nullptr) return sort(node.array, node.low, node.high);
    return sort(part->all, at(*part, node.low), at(*part, node.high));
  }
  Stmt device(const Fill& node, const Stmt& stmt) const {
    const Part* part = part_of(node.array);
    return part == nullptr ? stmt : fill(part->all, at(*part, node.low), at(*part, node.high), node.value);
  }
  /// A loop that its thread runs alone.
  Stmt device(const For& node, const Stmt& stmt) const {
    if (node.mode == LoopMode::Serial) return stmt;
    const For written = with_sums_written_out(node);
    if (!written.setup && !written.teardown)
      return for_loop_by(written.var, written.low, written.high, written.step, written.body);
    refuse("have memory of their own for the threads of the loop over " + node.var.name() + " inside of them");
  }
  Stmt device(const Allocate& node, const Stmt&) const { return of_part(node.array, "allocate memory"); }
  Stmt device(const Release& node, const Stmt&) const { return of_part(node.array, "release memory"); }
  Stmt device(const Resize&, const Stmt&) const {
    refuse("let memory grow; assemble(…,Insert) counts what is stored first");
  }
  Stmt device(const Keep&, const Stmt&) const {
    refuse("hand memory over; assemble(…,Insert) counts what is stored first");
  }
  Stmt device(const Take&, const Stmt&) const { refuse("take memory over"); }
  Stmt device(const MatrixProduct&, const Stmt&) const { refuse("call BLAS"); }
  Stmt device(const Block& node, const Stmt&) const { return block(node.statements); }
  Stmt device(const Prefetch&, const Stmt&) const { return block({}); }
  Stmt device(const Fence&, const Stmt&) const { return block({}); }

  Stmt of_part(const Var& array, const char* what) const {
    if (part_of(array) == nullptr) refuse(what);
    return block({});
  }

  const std::map<Var, Part>& parts_;
  const std::map<Var, Var>& renamed_;
};

}  // namespace

Stmt device_code(const Stmt& stmt, const std::map<Var, Part>& parts, const std::map<Var, Var>& renamed) {
  return block({DeviceCode(parts, renamed).rewrite(stmt)});
}

Expr device_code(const Expr& expr, const std::map<Var, Part>& parts, const std::map<Var, Var>& renamed) {
  return DeviceCode(parts, renamed).rewrite(expr);
}

}  // namespace lacuna::loop::offloading
