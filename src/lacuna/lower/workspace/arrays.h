#pragma once

#include "lacuna/lower/workspace/workspace.h"

namespace lacuna {

/// A workspace with a value and a mark for every key: what dense and bitmap workspaces share.
class MarkedArrays : public Workspace {
 public:
  using Workspace::Workspace;
  std::pair<loop::Expr, loop::Expr> locate(const loop::Expr& key, Statements& out) const override;
  loop::Expr position_of(const loop::Expr& key, Statements& out) const override { return named(key, out); }

 protected:
  /// Allocates values and marks, and a list of keys if asked.
  void declare_arrays(bool with_list, Statements& before, Statements& after);
  /// A loop over the keys that are marked.
  loop::Stmt each_marked(const AtPosition& body) const;
  void place(const loop::Expr& key, const AtNewEntry& first, const AtPosition& again, Statements& out) const override;
};

}  // namespace lacuna
