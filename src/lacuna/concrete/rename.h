#pragma once

#include <map>

#include "lacuna/concrete/program.h"

namespace lacuna::concrete {

/// What variables and tensors are called elsewhere; those that are not listed keep their names.
struct Renaming {
  std::map<IndexVar, IndexVar> variables;
  std::map<TensorVar, TensorVar> tensors;

  IndexVar of(const IndexVar& v) const;
  TensorVar of(const TensorVar& t) const;
  Access of(const Access& a) const;
  Expr of(const Expr& e) const;
  Stmt of(const Stmt& s) const;
  Derivation of(const Derivation& d) const;
  Tensor of(const Tensor& t) const;
};

}  // namespace lacuna::concrete
