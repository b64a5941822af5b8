#pragma once

#include "lacuna/lower/context/context.h"

namespace lacuna {

/// Arrays that grow together as entries are appended: a count, a capacity, and what must be resized when they meet.
class GrowingArrays {
 public:
  /// `count` is the number of entries so far (an Int64 variable declared elsewhere).
  GrowingArrays(Context& context, const std::string& name, loop::Var count);
  /// An array with `per_entry` elements an entry, and `extra` more.
  void add(const loop::Var& array, loop::Expr per_entry = loop::Expr(1), std::int64_t extra = 0);
  /// Statements that allocate the arrays for as many entries as a guess says (0: none), and a few more. Memory that is
  /// never touched costs nothing, but arrays that grow are copied.
  loop::Stmt start(const loop::Expr& guess) const;
  /// Statements that make room for `more` entries.
  loop::Stmt reserve(const loop::Expr& more) const;

 private:
  struct Member {
    loop::Var array;
    loop::Expr per_entry;
    std::int64_t extra;
  };
  loop::Expr elements(const Member& m, const loop::Expr& entries) const;
  loop::Var count_, capacity_;
  std::vector<Member> members_;
};

}  // namespace lacuna
