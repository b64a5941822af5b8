#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/codegen/c/requirements.h"
#include "lacuna/loop/ir.h"
#include "lacuna/loop/usage.h"

namespace lacuna {

/// How tightly the outermost operator of a text binds.
enum class Precedence {
  Ternary,
  Or,
  And,
  BitOr,
  BitXor,
  BitAnd,
  Equality,
  Relational,
  Shift,
  Sum,
  Product,
  Unary,
  Postfix
};

/// An expression as C. Its value is that of the loop expression, but its C type may be a narrower one that holds the
/// same value: C converts it where it is used, and the printer casts only where that would go wrong.
struct PrintedExpr {
  std::string text;
  Precedence precedence = Precedence::Postfix;
  Type type = Type::Int32;
  std::optional<Scalar> constant = std::nullopt;  // an integer literal
};

/// Prints expressions, and notes what they require.
class ExpressionPrinter {
 public:
  ExpressionPrinter(Requirements& requirements, const loop::ModuleUsage& usage)
      : requirements_(requirements), usage_(usage) {}

  /// Throws InternalError when a call inside changes something: C does not say which of two operands comes first, so
  /// such a call must be a whole statement or the whole value of one.
  PrintedExpr print(const loop::Expr& expr);
  /// The expression where C converts it to its type anyway: a value assigned, an argument, an index.
  std::string value(const loop::Expr& expr) { return print(expr).text; }
  /// `array[index]`, `arena[index].field` or `arena[index].field[sub]`.
  std::string element(const loop::Var& array, const loop::Expr& index, const std::optional<loop::Member>& member);
  /// Where an element is.
  std::string address(const loop::Var& array, const loop::Expr& index);
  /// A size for BLAS, where they are int: they were asked for, and fit, when the schedule was made.
  std::string blas_size(const loop::Expr& size);
  /// The value of a statement, which may be a call that changes something.
  std::string whole_value(const loop::Expr& expr);
  /// `function(arguments…` without the closing parenthesis, with the context first where the function needs it.
  std::string call_start(const loop::Invoke& call);
  /// What is printed from now on is inside a loop of vectors of so many lanes; 0: inside none.
  void set_lanes(int lanes) { lanes_ = lanes; }
  /// Where a loop of vectors stores: the element at `index` as the first of a vector. Elsewhere the element itself.
  std::string target(const loop::Store& store, const loop::Expr& index);
  /// A store of vectors that may go past the caches, as a call; none where it is no such store.
  std::optional<std::string> streamed(const loop::Store& store);
  /// Whether complex numbers of a type are pairs, with functions in place of operators.
  bool has_pairs(Type type) const { return is_complex(type) && requirements_.prelude.is_of_device(); }
  /// The lesser (greater) of two values, as semantics.md defines it for NaN.
  PrintedExpr minimum(const PrintedExpr& a, const PrintedExpr& b, Type type, bool greatest);

 private:
  struct KindPrinter;  // one function a kind of node

  /// An element as the first of a vector of the loop.
  std::string vector_at(const std::string& element, Type type, bool is_const);
  PrintedExpr constant(const Scalar& value);
  PrintedExpr binary(const loop::Binary& node, Type result);
  PrintedExpr infix(loop::BinaryOp op, const PrintedExpr& a, const PrintedExpr& b, Type type);
  PrintedExpr arithmetic(loop::BinaryOp op, PrintedExpr a, PrintedExpr b, Type type);
  PrintedExpr comparison(loop::BinaryOp op, PrintedExpr a, PrintedExpr b, Type type);
  PrintedExpr is_zero(loop::BinaryOp eq_or_ne, const PrintedExpr& a, Type type);
  PrintedExpr integer_division(const loop::Binary& node, PrintedExpr a, PrintedExpr b, Type type);
  PrintedExpr select(const loop::Select& node, Type type);
  PrintedExpr convert(const loop::Expr& operand, const loop::IrType& to);
  PrintedExpr real_part(const PrintedExpr& text, Type type);
  PrintedExpr as_pair(const PrintedExpr& text, Type from, Type type);

  // function_call.cpp
  PrintedExpr math(const loop::Math& node, Type result);
  PrintedExpr real_math(FunctionId id, const std::vector<loop::Expr>& arguments, const std::vector<PrintedExpr>& a,
                        Type type);
  PrintedExpr complex_math(FunctionId id, const std::vector<PrintedExpr>& a, Type type);
  PrintedExpr truth(const loop::Expr& expr);
  PrintedExpr prelude_call(std::string_view family, Type type, const std::vector<PrintedExpr>& arguments, Type result);
  PrintedExpr library_call(std::string_view name, Type type, const std::vector<PrintedExpr>& arguments);

  Requirements& requirements_;
  const loop::ModuleUsage& usage_;
  int lanes_ = 0;
};

/// `text` in parentheses unless its outermost operator binds at least as tightly as `least`.
std::string parenthesized(const PrintedExpr& text, Precedence least);
/// `name(argument, …)`.
std::string call_text(std::string_view name, const std::vector<PrintedExpr>& arguments);
/// The text cast to a type.
PrintedExpr cast_to(const PrintedExpr& text, Type type);
/// Whether every value of `text` is also one of `type`.
bool holds(Type type, const PrintedExpr& text);
/// A variable or a literal: cheap and clear to write twice.
bool is_simple(const PrintedExpr& text);

}  // namespace lacuna
