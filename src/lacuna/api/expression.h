#pragma once

#include <complex>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "lacuna/format/distribution/distribution.h"
#include "lacuna/notation/expr.h"

namespace lacuna {

class Value;
using ValuePtr = std::shared_ptr<Value>;

/// A tensor that an expression reads, with the contents it had when the expression was written.
struct Capture {
  TensorVar tensor;
  ValuePtr value;
  std::optional<Distribution> placed = {};  // its distribution
};

/// The right side of an assignment: index notation together with the tensors that it reads. Numbers are passed to the
/// kernel, so that alpha * x(i) is compiled once for all values of a `double alpha`; which ones are not,
/// notation/numbers.h says.
class Expression {
 public:
  template <typename T>
  requires std::is_arithmetic_v<T> Expression(T value)
      : expr_(Scalar(value)) {}  // NOLINT(google-explicit-constructor): literals read naturally
  Expression(std::complex<float> value) : expr_(Scalar(value)) {}   // NOLINT(google-explicit-constructor)
  Expression(std::complex<double> value) : expr_(Scalar(value)) {}  // NOLINT(google-explicit-constructor)
  /// An index variable as a value (int64).
  Expression(const IndexVar& var) : expr_(var) {}  // NOLINT(google-explicit-constructor)
  Expression(Expr expr, std::vector<Capture> captures) : expr_(std::move(expr)), captures_(std::move(captures)) {}

  const Expr& expr() const { return expr_; }
  const std::vector<Capture>& captures() const { return captures_; }

 private:
  Expr expr_;
  std::vector<Capture> captures_;
};

Expression operator+(const Expression& a, const Expression& b);
Expression operator-(const Expression& a, const Expression& b);
Expression operator*(const Expression& a, const Expression& b);
Expression operator/(const Expression& a, const Expression& b);
Expression operator-(const Expression& a);

/// The explicit sum of `a` over a variable.
Expression sum(const IndexVar& var, const Expression& a);
Expression cast(Type type, const Expression& a);
/// Any function of `lacuna help functions` by its name: call("hypot", {a, b}). Throws Error for unknown names and wrong
/// numbers of arguments. named_functions.h has them as functions of C++.
Expression call(const std::string& function, const std::vector<Expression>& arguments);
Expression call(FunctionId function, const std::vector<Expression>& arguments);

}  // namespace lacuna
