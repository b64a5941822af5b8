#include "lacuna/loop/offload/host.h"

#include <algorithm>

#include "lacuna/loop/build.h"
#include "lacuna/loop/walk.h"
#include "lacuna/support/check.h"

// Statements of the kernel are the host's where they are about memory, launches or scalars alone. Stretches of all
// others go to the device, each as one launch.
namespace lacuna::loop::offloading {
namespace {

bool is_memory_without_size(const Declare& node) { return node.var.type().is_memory() && node.size == 0; }

bool leaves_loop(const Stmt& stmt) {
  if (std::holds_alternative<Break>(stmt->kind)) return true;
  if (std::holds_alternative<For>(stmt->kind) || std::holds_alternative<While>(stmt->kind)) return false;
  const std::vector<Stmt> inside = statements(stmt);
  return std::any_of(inside.begin(), inside.end(), leaves_loop);
}

/// Whether only the host can do some of it.
bool needs_host(const Stmt& stmt) {
  if (leaves_loop(stmt)) return true;
  bool found = false;
  for_each(stmt, [&](const Stmt& each) {
    const auto& kind = each->kind;
    const auto* declare = std::get_if<Declare>(&kind);
    const auto* loop = std::get_if<For>(&kind);
    found = found || std::holds_alternative<Allocate>(kind) || std::holds_alternative<Resize>(kind) ||
            std::holds_alternative<Release>(kind) || std::holds_alternative<Keep>(kind) ||
            std::holds_alternative<Take>(kind) || (declare != nullptr && is_memory_without_size(*declare)) ||
            (loop != nullptr && loop->mode == LoopMode::Parallel);
  });
  return found;
}

bool touches_arrays(const Stmt& stmt) {
  const FunctionUsage usage = usage_of(stmt);
  return !usage.calls.empty() ||
         std::any_of(usage.used.begin(), usage.used.end(), [](const Var& each) { return each.type().is_memory(); });
}

bool is_hosts(const Stmt& stmt) {
  return std::holds_alternative<Comment>(stmt->kind) || std::holds_alternative<Fill>(stmt->kind) || needs_host(stmt) ||
         !touches_arrays(stmt);
}

/// Whether each element that an expression reads is there whatever its other operands are.
bool reads_always(const Expr& expr) {
  const auto& kind = expr.node().kind;
  if (std::holds_alternative<Invoke>(kind) || std::holds_alternative<LowerBound>(kind) ||
      std::holds_alternative<Dot>(kind))
    return false;
  const auto* load = std::get_if<Load>(&kind);
  if (load != nullptr && (load->member || load->array.type().kind != IrType::Kind::Array)) return false;
  const auto* binary = std::get_if<Binary>(&kind);
  const bool chooses = std::holds_alternative<Select>(kind) ||
                       (binary != nullptr && (binary->op == BinaryOp::And || binary->op == BinaryOp::Or));
  const std::vector<Expr> operands = children(expr);
  return std::all_of(operands.begin(), operands.end(), chooses ? is_of_scalars : reads_always);
}

/// Replaces what is read of arrays by scalars, which are read back.
class ReadsBack : public Rewriter {
 public:
  ReadsBack(NameSupply& names, Statements& out) : names_(names), out_(out) {}

 protected:
  using Rewriter::rebuilt;
  Expr rebuilt(Expr expr) override {
    const auto* load = std::get_if<Load>(&expr.node().kind);
    if (load == nullptr) return expr;
    const Var read(names_.unique(load->array.name() + "_read"), expr.type());
    out_.push_back(declare(read));
    out_.push_back(read_back(read, load->array, load->index));
    return read;
  }

 private:
  NameSupply& names_;
  Statements& out_;
};

}  // namespace

bool is_of_scalars(const Expr& expr) {
  const auto& kind = expr.node().kind;
  if (std::holds_alternative<Load>(kind) || std::holds_alternative<Invoke>(kind) ||
      std::holds_alternative<LowerBound>(kind) || std::holds_alternative<Dot>(kind))
    return false;
  const std::vector<Expr> operands = children(expr);
  return std::all_of(operands.begin(), operands.end(), is_of_scalars);
}

void Host::run(const Statements& list, Statements& out) {
  Statements group, releases;
  for (std::size_t k = 0; k < list.size(); ++k) {
    const auto* local = std::get_if<Declare>(&list[k]->kind);
    if (local != nullptr && local->size > 0) {  // an array of the kernel's own is the device's, too
      out.insert(out.end(), {declare_array(local->var), allocate(local->var, Expr(local->size), true)});
      releases.push_back(release(local->var));
      continue;
    }
    if (!is_hosts(list[k])) {
      group.push_back(list[k]);
      continue;
    }
    serial(group, {list.begin() + static_cast<std::ptrdiff_t>(k), list.end()}, out);
    group.clear();
    run(list[k], out);
  }
  serial(group, {}, out);
  out.insert(out.end(), releases.begin(), releases.end());
}

Stmt Host::nested(const Stmt& body) {
  if (!body) return body;
  const auto* together = std::get_if<Block>(&body->kind);
  Statements out;
  run(together != nullptr ? together->statements : Statements{body}, out);
  return block(std::move(out));
}

void Host::run(const Stmt& stmt, Statements& out) {
  if (const auto* node = std::get_if<For>(&stmt->kind)) return loop(*node, out);
  if (const auto* node = std::get_if<While>(&stmt->kind)) return loop(*node, out);
  if (const auto* node = std::get_if<Fill>(&stmt->kind)) {
    const Var k = fresh("k", int64_type);
    return parallel({k, node->low, node->high, 1, store(node->array, k, node->value), LoopMode::Parallel}, out);
  }
  if (const auto* node = std::get_if<If>(&stmt->kind)) {
    const Expr condition = value(node->condition, out);
    return out.push_back(if_then(condition, nested(node->then_branch), nested(node->else_branch)));
  }
  if (const auto* node = std::get_if<Allocate>(&stmt->kind))
    return out.push_back(allocate(node->array, value(node->count, out), node->zeroed));
  if (const auto* node = std::get_if<Resize>(&stmt->kind))
    return out.push_back(resize(node->array, value(node->count, out)));
  if (std::holds_alternative<Keep>(stmt->kind) || std::holds_alternative<Take>(stmt->kind))
    user_error("this schedule cannot run on a device: it hands over memory from thread to thread");
  out.push_back(stmt);
}

void Host::loop(const For& node, Statements& out) {
  if (node.mode == LoopMode::Parallel) return node.unit == DeviceUnit::Thread ? parallel(node, out) : groups(node, out);
  const Expr low = value(node.low, out), high = value(node.high, out);
  out.push_back(for_loop_by(node.var, low, high, node.step, nested(node.body)));
}

void Host::loop(const While& node, Statements& out) {
  if (is_of_scalars(node.condition)) return out.push_back(while_loop(node.condition, nested(node.body)));
  Statements body;
  const Expr goes_on = value(node.condition, body);
  body.push_back(if_then(!goes_on, break_loop()));
  body.push_back(nested(node.body));
  out.push_back(while_loop(Expr(true), block(std::move(body))));
}

Expr Host::value(const Expr& expr, Statements& out) {
  if (is_of_scalars(expr)) return expr;
  if (reads_always(expr)) return ReadsBack(names_, out).rewrite(expr);
  const Var computed = fresh("value", expr.type());
  out.push_back(declare(computed));
  serial({assign(computed, expr)}, {}, out);
  return computed;
}

}  // namespace lacuna::loop::offloading

namespace lacuna::loop {

Module offload(const Module& module, const LaunchShape& shape) {
  offloading::Host host(module, shape);
  const auto* together = std::get_if<Block>(&module.body->kind);
  offloading::Statements out;
  host.run(together != nullptr ? together->statements : offloading::Statements{module.body}, out);
  Module offloaded = module;
  offloaded.body = block(std::move(out));
  return offloaded;
}

}  // namespace lacuna::loop
