#include "lacuna/loop/build.h"
#include "lacuna/loop/simplify/rules.h"

namespace lacuna::loop::simplifier {
namespace {

/// Whether every integer of type `narrow` is one of type `wide`.
bool holds_all(Type wide, Type narrow) {
  if (narrow == Type::Bool) return wide != Type::Bool;
  if (wide == Type::Bool) return false;
  if (is_signed_integer(wide) == is_signed_integer(narrow)) return size_of(wide) >= size_of(narrow);
  return is_signed_integer(wide) && size_of(wide) > size_of(narrow);
}

/// Whether the conversion from `from` to `to` keeps every value.
bool is_exact(Type from, Type to) {
  if (is_integer(from) && is_integer(to)) return holds_all(to, from);
  if (is_integer(from)) return size_of(from) <= (real_part_type(to) == Type::Float64 ? 4 : 2);
  return from == Type::Float32 && to == Type::Float64;
}

}  // namespace

std::optional<Expr> simplify_conversion(const Expr& expr) {
  const auto* outer = std::get_if<Convert>(&expr.node().kind);
  if (!outer) return std::nullopt;
  if (outer->operand.type() == expr.type()) return outer->operand;
  const auto* inner = std::get_if<Convert>(&outer->operand.node().kind);
  if (!inner || !outer->operand.type().is_scalar()) return std::nullopt;
  const Expr& source = inner->operand;
  const Type through = outer->operand.scalar();
  const bool is_there_and_back = source.type() == expr.type();
  if (source.type().is_ref() || !is_exact(source.scalar(), through)) return std::nullopt;
  if (is_there_and_back) return source;
  // One conversion for two only if it keeps every value, too: the interpreter checks one that may not.
  const bool are_integers = is_integer(source.scalar()) && is_integer(through) && expr.type().is_scalar();
  return are_integers && is_exact(source.scalar(), expr.scalar()) ? std::optional(convert(source, expr.scalar()))
                                                                  : std::nullopt;
}

}  // namespace lacuna::loop::simplifier
