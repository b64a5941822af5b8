#include "lacuna/concrete/program.h"

#include "lacuna/support/check.h"

namespace lacuna::concrete {
namespace {

template <typename Node>
Stmt make(Node node) {
  return std::make_shared<const StmtNode>(StmtNode{std::move(node)});
}

}  // namespace

Stmt forall(const IndexVar& var, Stmt body, Execution how) { return make(Forall{var, std::move(body), how}); }
Stmt where(Stmt consumer, Stmt producer) { return make(Where{std::move(consumer), std::move(producer)}); }
Stmt assign(Access target, Expr rhs, bool accumulate) {
  return make(Assign{std::move(target), accumulate, std::move(rhs)});
}
Stmt sequence(std::vector<Stmt> statements) {
  internal_check(!statements.empty(), "an empty sequence");
  return statements.size() == 1 ? statements[0] : make(Sequence{std::move(statements)});
}

std::span<const Tensor> Program::results() const {
  std::size_t count = 0;
  while (count < tensors.size() && tensors[count].role == Role::Result) ++count;
  return {tensors.data(), count};
}

const Tensor* Program::find(const TensorVar& var) const {
  for (const Tensor& t : tensors)
    if (t.var == var) return &t;
  return nullptr;
}

const Tensor& Program::at(const TensorVar& var) const {
  const Tensor* t = find(var);
  internal_check(t != nullptr, "tensor {} is not of the program", var.name());
  return *t;
}

const TensorVar& Program::stored_by(const TensorVar& var) const {
  const Tensor& t = at(var);
  return t.pattern ? *t.pattern : t.var;
}

FactsByName Program::facts() const {
  FactsByName facts;
  for (const Tensor& t : tensors) facts[t.var.name()] = {t.type, std::nullopt};
  return facts;
}

}  // namespace lacuna::concrete
