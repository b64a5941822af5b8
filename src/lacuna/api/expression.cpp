#include "lacuna/api/expression.h"

#include <optional>

#include "lacuna/support/check.h"
#include "lacuna/support/functions.h"

namespace lacuna {
namespace {

std::vector<Capture> captures_of(const std::vector<Expression>& parts) {
  std::vector<Capture> all;
  for (const Expression& part : parts) all.insert(all.end(), part.captures().begin(), part.captures().end());
  return all;
}

Expression binary(BinaryOp op, const Expression& a, const Expression& b) {
  return {make_expr(Binary{op, a.expr(), b.expr()}), captures_of({a, b})};
}

}  // namespace

Expression operator+(const Expression& a, const Expression& b) { return binary(BinaryOp::Add, a, b); }
Expression operator-(const Expression& a, const Expression& b) { return binary(BinaryOp::Sub, a, b); }
Expression operator*(const Expression& a, const Expression& b) { return binary(BinaryOp::Mul, a, b); }
Expression operator/(const Expression& a, const Expression& b) { return binary(BinaryOp::Div, a, b); }
Expression operator-(const Expression& a) { return {make_expr(Negate{a.expr()}), a.captures()}; }

Expression sum(const IndexVar& var, const Expression& a) { return {make_expr(Sum{var, a.expr()}), a.captures()}; }
Expression cast(Type type, const Expression& a) { return {make_expr(Cast{type, a.expr()}), a.captures()}; }

Expression call(FunctionId function, const std::vector<Expression>& arguments) {
  std::vector<Expr> parts;
  for (const Expression& argument : arguments) parts.push_back(argument.expr());
  return {make_expr(Call{function, std::move(parts)}), captures_of(arguments)};
}

Expression call(const std::string& function, const std::vector<Expression>& arguments) {
  const std::optional<FunctionId> id = find_function(function);
  if (!id) user_error("'{}' is no function of index notation; 'lacuna help functions' lists them", function);
  check_arity(*id, arguments.size());
  return call(*id, arguments);
}

}  // namespace lacuna
