#include "lacuna/loop/verify/types.h"

#include "lacuna/loop/build.h"
#include "lacuna/loop/passes.h"
#include "lacuna/support/check.h"

// The builders refuse operands that do not fit; a node is well-typed if building it again gives its type.
namespace lacuna::loop::verifier {
namespace {

struct TypeOf {
  const IrType& claimed;

  IrType operator()(const Constant& node) const {
    const bool is_reference = claimed.is_ref() && node.value.type() == Type::UInt32;
    return is_reference ? claimed : scalar_type(node.value.type());
  }
  IrType operator()(const VarUse& node) const { return node.var.type(); }
  IrType operator()(const Unary& node) const {
    if (node.op == UnaryOp::Negate) return negate(node.operand).type();
    return (!node.operand).type();
  }
  IrType operator()(const Binary& node) const {
    internal_check(node.left.type() == node.right.type(), "the operands of `{}` have different types",
                   to_string(node.left));
    return value_op(node.op, node.left, node.right).type();
  }
  IrType operator()(const Select& node) const { return select(node.condition, node.if_true, node.if_false).type(); }
  IrType operator()(const Convert& node) const {
    if (claimed.is_ref()) return as_ref(node.operand, claimed.record).type();
    return convert(node.operand, claimed.scalar).type();
  }
  IrType operator()(const Math& node) const { return math(node.function, node.arguments).type(); }
  IrType operator()(const Load& node) const {
    return node.member ? load(node.array, node.index, *node.member).type() : load(node.array, node.index).type();
  }
  IrType operator()(const Invoke&) const { return claimed; }
  IrType operator()(const LowerBound& node) const {
    return lower_bound(node.array, node.low, node.high, node.key).type();
  }
  IrType operator()(const Dot& node) const { return dot(node).type(); }
};

/// The builders adapt integer constants to the type of their place; a module's statements must not need it.
void check_fits(const Expr& value, const IrType& type) {
  internal_check(value.type() == type, "`{}` has another type than its place", to_string(value));
}

struct Statement {
  void operator()(const Declare& node) const {
    if (node.size != 0) declare_local(node.var, node.size);
    if (!node.init.defined()) return;
    internal_check(node.size == 0, "{} has local elements and a value", node.var.name());
    declare(node.var, node.init);
    check_fits(node.init, node.var.type());
  }
  void operator()(const Assign& node) const {
    assign(node.var, node.value);
    check_fits(node.value, node.var.type());
  }
  void operator()(const Store& node) const {
    if (node.member) {
      store(node.array, node.index, *node.member, node.value, node.op);
      check_fits(node.value, load(node.array, node.index, *node.member).type());
    } else {
      store(node.array, node.index, node.value, node.op);
      check_fits(node.value, element_type(node.array.type()));
    }
    internal_check(!node.past_caches.defined() || node.past_caches.type() == scalar_type(Type::Bool),
                   "a store goes past the caches under a condition that is no truth value");
  }
  void operator()(const If& node) const {
    internal_check(node.then_branch != nullptr, "a branch is missing");
    if_then(node.condition, node.then_branch);
  }
  void operator()(const For& node) const {
    for_loop(node.var, node.low, node.high, node.body,
             LoopOptions{.mode = node.mode,
                         .reductions = node.reductions,
                         .step = node.step,
                         .setup = node.setup,
                         .teardown = node.teardown,
                         .sums = node.sums,
                         .unroll = node.unroll,
                         .grain = node.grain});
    check_fits(node.low, node.var.type());
    check_fits(node.high, node.var.type());
  }
  void operator()(const While& node) const { while_loop(node.condition, node.body); }
  void operator()(const Allocate& node) const {
    allocate(node.array, node.count, node.zeroed);
    check_fits(node.count, scalar_type(Type::Int64));
  }
  void operator()(const Resize& node) const {
    resize(node.array, node.count);
    check_fits(node.count, scalar_type(Type::Int64));
  }
  void operator()(const Release& node) const { release(node.array); }
  void operator()(const Keep& node) const { keep(node.shelf, node.index, node.array); }
  void operator()(const Take& node) const { take(node.array, node.shelf, node.index); }
  void operator()(const Sort& node) const {
    if (node.marks) sort_marked(node.array, node.high, *node.marks, node.places);
    else sort(node.array, node.low, node.high);
  }
  void operator()(const Fill& node) const {
    fill(node.array, node.low, node.high, node.value);
    check_fits(node.value, element_type(node.array.type()));
  }
  void operator()(const MatrixProduct& node) const { matrix_product(node); }
  void operator()(const Prefetch& node) const { prefetch(node.array, node.index); }
  void operator()(const Fence&) const {}
  void operator()(const Launch& node) const { launch(node); }
  void operator()(const ReadBack& node) const { read_back(node.var, node.array, node.index); }
  void operator()(const Exchange& node) const { exchange(node); }
  void operator()(const Barrier& node) const { barrier(node.group); }
  void operator()(const Evaluate& node) const { evaluate(node.call); }
  void operator()(const Block&) const {}
  void operator()(const Comment&) const {}
  void operator()(const Return&) const {}
  void operator()(const Break&) const {}
};

}  // namespace

void check_types(const Expr& expr) {
  const IrType type = std::visit(TypeOf{expr.type()}, expr.node().kind);
  internal_check(type == expr.type(), "`{}` does not have the type that its operands give it", to_string(expr));
}

void check_types(const Stmt& stmt) { std::visit(Statement{}, stmt->kind); }

}  // namespace lacuna::loop::verifier
