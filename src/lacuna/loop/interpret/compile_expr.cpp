#include "lacuna/loop/interpret/access.h"
#include "lacuna/loop/interpret/compiler.h"
#include "lacuna/loop/interpret/control.h"
#include "lacuna/loop/interpret/operators.h"
#include "lacuna/loop/interpret/place_member.h"
#include "lacuna/support/check.h"

namespace lacuna::loop::interpreter {
namespace {

Value run_select(const Code& code, Machine& machine) {
  const Code& chosen = code.a->run(*code.a, machine).i != 0 ? *code.b : *code.c;
  return chosen.run(chosen, machine);
}

bool is_arithmetic(BinaryOp op) {
  return op <= BinaryOp::Max || (op >= BinaryOp::BitAnd && op <= BinaryOp::ShiftRight);
}

/// Whether the expression is arithmetic on indices, whose value must not change when it is narrowed. Variables and
/// loads may hold tensor values, which wrap.
bool is_index_arithmetic(const Expr& e) {
  const auto* binary = std::get_if<Binary>(&e.node().kind);
  return binary && !binary->wraps && is_arithmetic(binary->op) && is_integer(e.scalar());
}

}  // namespace

const Code* Compiler::compile(const Expr& expr) {
  internal_check(expr.defined(), "an expression is missing in {}", program_.module.name);
  Code& code = program_.codes.emplace_back();
  code.source = &expr.node();
  code.type = expr.type().scalar;
  std::visit([&](const auto& node) { compile_node(node, code); }, expr.node().kind);
  return &code;
}

void Compiler::compile_node(const Constant& node, Code& code) {
  code.run = constant_read();
  code.value = from_scalar(node.value);
}

void Compiler::compile_node(const VarUse& node, Code& code) {
  if (node.var.type().is_memory()) {
    code.slot = array_slot_of(node.var);  // `run` stays null: only calls take arrays, and they look at the slot
  } else {
    code.slot = slot_of(node.var);
    code.run = variable_read();
  }
}

void Compiler::compile_node(const Unary& node, Code& code) {
  code.a = compile(node.operand);
  code.run = unary_operation(node.op, code.type);
  code.operations = node.op == UnaryOp::Negate ? 1 : 0;
}

void Compiler::compile_node(const Binary& node, Code& code) {
  code.a = compile(node.left);
  code.b = compile(node.right);
  code.type = node.left.type().scalar;
  code.run = binary_operation(node, code.type);
  code.operations = is_arithmetic(node.op) && (node.wraps || !is_integer(code.type)) ? 1 : 0;
}

void Compiler::compile_node(const Select& node, Code& code) {
  code.a = compile(node.condition);
  code.b = compile(node.if_true);
  code.c = compile(node.if_false);
  code.run = run_select;
}

void Compiler::compile_node(const Convert& node, Code& code) {
  code.a = compile(node.operand);
  const bool to_reference = std::get_if<Convert>(&code.source->kind) && code.source->type.is_ref();
  const Type to = code.type;
  code.type = node.operand.type().scalar;
  code.run = to_reference ? reference_conversion() : conversion(code.type, to, is_index_arithmetic(node.operand));
}

void Compiler::compile_node(const Math& node, Code& code) {
  internal_check(node.arguments.size() <= max_arity && !node.arguments.empty(), "{} has {} arguments",
                 info(node.function).name, node.arguments.size());
  code.arguments = compile_list(node.arguments);
  code.function = node.function;
  code.type = node.arguments[0].scalar();
  code.operations = 1;
  code.run = math_operation();
}

void Compiler::compile_node(const Load& node, Code& code) {
  code.slot = array_slot_of(node.array);
  code.a = compile(node.index);
  code.run = element_read(code.type, node.member.has_value());
  if (node.member) {
    place_member(node.array, *node.member, code);
    code.b = compile_operand(node.member->sub);
  }
  code.type = node.index.type().scalar;
}

void Compiler::compile_node(const Invoke& node, Code& code) {
  for (const FunctionCode& each : program_.functions) {
    if (each.name == node.function) code.callee = &each;
  }
  internal_check(code.callee != nullptr, "there is no function {}", node.function);
  internal_check(code.callee->parameters.size() == node.arguments.size(), "{} is called with {} arguments",
                 node.function, node.arguments.size());
  for (std::size_t k = 0; k < node.arguments.size(); k++) {
    internal_check(node.arguments[k].type() == code.callee->parameters[k].type(),
                   "argument {} of a call of {} has another type", k + 1, node.function);
  }
  code.arguments = compile_list(node.arguments);
  code.run = run_call;
}

void Compiler::compile_node(const LowerBound& node, Code& code) {
  code.slot = array_slot_of(node.array);
  code.a = compile(node.low);
  code.b = compile(node.high);
  code.c = compile(node.key);
  code.run = search(node.array.type().scalar, node.near);
}

void Compiler::compile_node(const Dot& node, Code& code) {
  code.arguments = compile_list({node.left.first, node.left.stride, node.right.first, node.right.stride, node.count});
  code.slot = array_slot_of(node.left.array);
  code.other_slot = array_slot_of(node.right.array);
  code.run = dot_run(node.left.array.type().scalar);
}

const std::vector<const Code*>* Compiler::compile_list(const std::vector<Expr>& expressions) {
  std::vector<const Code*> list;
  list.reserve(expressions.size());
  for (const Expr& each : expressions) list.push_back(compile(each));
  return &program_.argument_lists.emplace_back(std::move(list));
}

}  // namespace lacuna::loop::interpreter
