#pragma once

#include "lacuna/dynamic/lower/helpers.h"

// The bodies of a level's functions as loop IR.
namespace lacuna::dynamic {

/// What a name of a function stands for.
struct Binding {
  std::vector<loop::Var> vars;  // one; an element's coordinate and value; a sequence's arrays, begin and end
};

/// What the translation of expressions needs to know.
struct Context {
  const Structure& structure;
  const FunctionNames& functions;
  const schema::LevelProgram& program;
  std::map<std::string, Binding> variables;
};

/// A coordinate and a value.
struct Pair {
  loop::Expr coordinate, value;
};

/// The array, index and member that a field of a node, or a slot of it, is.
struct Place {
  loop::Var array;
  loop::Expr index;
  std::optional<loop::Member> member;
  /// What is there, and the statement that stores a value there.
  loop::Expr load() const;
  loop::Stmt store(const loop::Expr& value) const;
};
/// `part`: of an element field, "c", "d" or "v"; otherwise empty.
Place place_in_memory(const Context& context, const schema::Access& access, const std::string& part);

/// The part of an element field that a member is.
const char* part_of(schema::MemberKind kind);

/// An expression as its own type has it in the IR.
loop::Expr translate(const Context& context, const schema::CodeExpr& expr);
/// The same, converted to another type that it fits.
loop::Expr translate_as(const Context& context, const schema::CodeExpr& expr, const schema::CodeType& type);
/// A value in the IR, converted.
loop::Expr converted(const Context& context, const loop::Expr& value, const schema::CodeType& from,
                     const schema::CodeType& to);
/// The coordinate and the value of an expression that is an element.
Pair translate_pair(const Context& context, const schema::CodeExpr& expr);
/// Whether an expression is a call that must be the whole value of a statement.
bool is_call(const schema::CodeExpr& expr);

/// One function of the level. `names`: those of the module, for variables to differ from.
loop::Function translate_function(const Structure& structure, const FunctionNames& functions,
                                  const schema::LevelProgram& program, const schema::CodeFunction& function,
                                  loop::NameSupply names);

}  // namespace lacuna::dynamic
