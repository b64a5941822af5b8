#include "fuzz/faults/faults.h"
#include "fuzz/faults/mutate.h"

namespace lacuna::fuzz {
namespace {

using loop::BinaryOp;
using loop::Expr;
using Change = std::optional<Expr>;

Fault fault(std::string name, ChangeExpr change) {
  return {std::move(name), [change](Plan& plan) { return mutate(plan.lowered.module, change); }};
}

bool is_zero(const Expr& e) {
  const auto* c = as_node<loop::Constant>(e);
  return c != nullptr && c->value.is_zero();
}

bool loads(const Expr& e, const std::string& ending) {
  const auto* l = as_node<loop::Load>(e);
  return l != nullptr && ends_with(l->array.name(), ending);
}

/// The operands of `a*b + c` in index arithmetic.
struct Address {
  Expr parent, size, coordinate;
};
std::optional<Address> address(const Expr& e) {
  const auto* add = as_binary(e, BinaryOp::Add);
  if (add == nullptr || add->wraps) return std::nullopt;
  const auto* mul = as_binary(add->left, BinaryOp::Mul);
  if (mul == nullptr || mul->wraps || !mentions(mul->right, "_size")) return std::nullopt;
  return Address{mul->left, mul->right, add->right};
}

/// `value != 0`, which decides whether an entry that nobody stored is kept.
bool is_zero_test(const Expr& e) {
  const auto* ne = as_binary(e, BinaryOp::Ne);
  return ne != nullptr && is_zero(ne->right) && !loads(ne->left, "_present") &&
         as_binary(ne->left, BinaryOp::BitAnd) == nullptr && !ends_with(variable_name(ne->left), "_slots");
}

bool mentions_presence(const Expr& e) {
  bool found = false;
  loop::for_each(e, [&](const Expr& x) { found = found || starts_with(variable_name(x), "has_"); });
  return found;
}

void add_position_faults(std::vector<Fault>& faults) {
  faults.push_back(fault("a segment's end is read where it begins", [](const Expr& e) -> Change {
    if (!loads(e, "_pos")) return std::nullopt;
    const auto& load = *as_node<loop::Load>(e);
    const auto* next = as_binary(load.index, BinaryOp::Add);
    if (next == nullptr || !loop::is_constant(next->right, 1)) return std::nullopt;
    return loop::load(load.array, next->left);
  }));
  faults.push_back(fault("every parent reads the first one's segment", [](const Expr& e) -> Change {
    if (!loads(e, "_pos")) return std::nullopt;
    const auto& load = *as_node<loop::Load>(e);
    if (as_node<loop::Constant>(load.index) != nullptr) return std::nullopt;
    return loop::load(load.array, Expr(as_binary(load.index, BinaryOp::Add) != nullptr ? 1 : 0));
  }));
  faults.push_back(fault("coordinates are read at the position before", [](const Expr& e) -> Change {
    if (!loads(e, "_crd")) return std::nullopt;
    const auto& load = *as_node<loop::Load>(e);
    return loop::load(load.array, loop::max(load.index - Expr(1), Expr(0)));
  }));
  faults.push_back(fault("values are read at the position before", [](const Expr& e) -> Change {
    if (!loads(e, "_vals")) return std::nullopt;
    const auto& load = *as_node<loop::Load>(e);
    return loop::load(load.array, loop::max(load.index - Expr(1), Expr(0)));
  }));
  faults.push_back(fault("a dense level forgets its extent", [](const Expr& e) -> Change {
    const auto a = address(e);
    if (!a) return std::nullopt;
    return a->parent + a->coordinate;
  }));
  faults.push_back(fault("a dense level takes coordinate for parent", [](const Expr& e) -> Change {
    const auto a = address(e);
    if (!a) return std::nullopt;
    return a->coordinate * a->size + a->parent;
  }));
  faults.push_back(fault("a dense level forgets its coordinate", [](const Expr& e) -> Change {
    const auto a = address(e);
    if (!a) return std::nullopt;
    return a->parent * a->size;
  }));
  faults.push_back(fault("a search stays where it starts", [](const Expr& e) -> Change {
    const auto* search = as_node<loop::LowerBound>(e);
    if (search == nullptr) return std::nullopt;
    return search->low;
  }));
}

void add_presence_faults(std::vector<Fault>& faults) {
  faults.push_back(fault("the rule for zeros is inverted", [](const Expr& e) -> Change {
    if (!is_zero_test(e)) return std::nullopt;
    const auto& b = *as_node<loop::Binary>(e);
    return loop::eq(b.left, b.right);
  }));
  faults.push_back(fault("zeros that nobody stored are kept", [](const Expr& e) -> Change {
    if (!is_zero_test(e)) return std::nullopt;
    return Expr(true);
  }));
  faults.push_back(fault("stored zeros are dropped", [](const Expr& e) -> Change {
    const auto* b = as_binary(e, BinaryOp::Or);
    if (b == nullptr || !is_zero_test(b->right)) return std::nullopt;
    return b->right;
  }));
  faults.push_back(fault("values that nobody stored are dropped", [](const Expr& e) -> Change {
    const auto* b = as_binary(e, BinaryOp::Or);
    if (b == nullptr || !is_zero_test(b->right)) return std::nullopt;
    return b->left;
  }));
  faults.push_back(fault("everything in a bitmap is present", [](const Expr& e) -> Change {
    const auto* b = as_binary(e, BinaryOp::Ne);
    if (b == nullptr || !loads(b->left, "_present")) return std::nullopt;
    return Expr(true);
  }));
  faults.push_back(fault("a stored mark is read inverted", [](const Expr& e) -> Change {
    const auto* b = as_binary(e, BinaryOp::Ne);
    if (b == nullptr || as_binary(b->left, BinaryOp::BitAnd) == nullptr) return std::nullopt;
    return loop::eq(b->left, b->right);
  }));
  faults.push_back(fault("a product is there where either factor is", [](const Expr& e) -> Change {
    const auto* b = as_binary(e, BinaryOp::And);
    if (b == nullptr || !mentions_presence(b->left) || !mentions_presence(b->right)) return std::nullopt;
    return rebuilt(e, {BinaryOp::Or, b->left, b->right, false});
  }));
  faults.push_back(fault("a sum is there only where both addends are", [](const Expr& e) -> Change {
    const auto* b = as_binary(e, BinaryOp::Or);
    if (b == nullptr || !mentions_presence(b->left) || !mentions_presence(b->right)) return std::nullopt;
    return rebuilt(e, {BinaryOp::And, b->left, b->right, false});
  }));
  faults.push_back(fault("what is absent is read", [](const Expr& e) -> Change {
    const auto* s = as_node<loop::Select>(e);
    if (s == nullptr || !is_zero(s->if_false) || !mentions_presence(s->condition)) return std::nullopt;
    return s->if_true;
  }));
  faults.push_back(fault("what is present counts as absent", [](const Expr& e) -> Change {
    const auto* s = as_node<loop::Select>(e);
    if (s == nullptr || !mentions_presence(s->condition)) return std::nullopt;
    return s->if_false;
  }));
}

void add_hash_faults(std::vector<Fault>& faults) {
  faults.push_back(fault("another hash than the one that built the table", [](const Expr& e) -> Change {
    const auto* c = as_node<loop::Constant>(e);
    if (c == nullptr || e.scalar() != Type::UInt64 || c->value.as<std::uint64_t>() != 0x9E3779B97F4A7C15U)
      return std::nullopt;
    return loop::constant(Type::UInt64, 0x51ED27);
  }));
  faults.push_back(fault("a probe runs past the end of its table", [](const Expr& e) -> Change {
    const auto* b = as_binary(e, BinaryOp::BitAnd);
    const auto* next = b != nullptr ? as_binary(b->left, BinaryOp::Add) : nullptr;
    if (next == nullptr || !ends_with(variable_name(next->left), "_probe")) return std::nullopt;
    return b->left;
  }));
  faults.push_back(fault("any key of a table will do", [](const Expr& e) -> Change {
    const auto* b = as_binary(e, BinaryOp::Eq);
    if (b == nullptr || !ends_with(variable_name(b->left), "_key")) return std::nullopt;
    return b->left >= Expr(0);
  }));
}

void add_arithmetic_faults(std::vector<Fault>& faults) {
  const auto swapped = [](BinaryOp op) {
    return [op](const Expr& e) -> Change {
      const auto* b = as_binary(e, op);
      if (b == nullptr || !b->wraps) return std::nullopt;
      return rebuilt(e, {op, b->right, b->left, true});
    };
  };
  faults.push_back(fault("a difference is taken the other way round", swapped(BinaryOp::Sub)));
  faults.push_back(fault("a quotient is taken the other way round", swapped(BinaryOp::Div)));
  faults.push_back(fault("a negation is forgotten", [](const Expr& e) -> Change {
    const auto* u = as_node<loop::Unary>(e);
    if (u == nullptr || u->op != loop::UnaryOp::Negate) return std::nullopt;
    return u->operand;
  }));
  faults.push_back(fault("min is max", [](const Expr& e) -> Change {
    const auto* m = as_node<loop::Math>(e);
    if (m == nullptr || m->function != FunctionId::Min) return std::nullopt;
    return loop::math(FunctionId::Max, m->arguments);
  }));
  faults.push_back(fault("arguments of a function are swapped", [](const Expr& e) -> Change {
    const auto* m = as_node<loop::Math>(e);
    if (m == nullptr || m->arguments.size() != 2) return std::nullopt;
    return loop::math(m->function, {m->arguments[1], m->arguments[0]});
  }));
  faults.push_back(fault("values are converted by way of int8", [](const Expr& e) -> Change {
    const auto* c = as_node<loop::Convert>(e);
    if (c == nullptr || !e.type().is_scalar() || !c->operand.type().is_scalar()) return std::nullopt;
    if (is_integer(e.scalar()) && is_integer(c->operand.scalar())) return std::nullopt;
    return loop::convert(loop::convert(c->operand, Type::Int8), e.scalar());
  }));
}

}  // namespace

std::vector<Fault> expression_faults() {
  std::vector<Fault> faults;
  add_position_faults(faults);
  add_presence_faults(faults);
  add_hash_faults(faults);
  add_arithmetic_faults(faults);
  return faults;
}

}  // namespace lacuna::fuzz
