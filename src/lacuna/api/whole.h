#pragma once

#include <complex>
#include <string>
#include <type_traits>
#include <vector>

#include "lacuna/api/element.h"
#include "lacuna/api/expression.h"

namespace lacuna {

/// An expression over whole tensors, entry by entry, which becomes a tensor where it is assigned to one:
///
///     Tensor<double> r = b - matmul(A, x);  // one kernel, run when r is first read
///     C += 2.0 * exp(A) * B;
///
/// It is index notation with variables of its own: `A + B` is `A(i,j) + B(i,j)`. A number, or a tensor of order 0, goes
/// with every entry of the other operand. Throws Error where operands have different orders; where dimensions differ,
/// the assignment does.
class WholeExpression {
 public:
  template <typename T>
  requires std::is_arithmetic_v<T> WholeExpression(T value)
      : entry_(value) {}  // NOLINT(google-explicit-constructor): literals read naturally
  WholeExpression(std::complex<float> value) : entry_(value) {}   // NOLINT(google-explicit-constructor)
  WholeExpression(std::complex<double> value) : entry_(value) {}  // NOLINT(google-explicit-constructor)
  /// `entry` is that of the coordinate that the variables stand for, one a mode.
  WholeExpression(std::vector<IndexVar> modes, Expression entry);

  int order() const { return static_cast<int>(modes_.size()); }
  const std::vector<IndexVar>& modes() const { return modes_; }
  const Expression& entry() const { return entry_; }
  /// This, or where it has no modes, the same for each entry of a tensor with `order` modes.
  WholeExpression over(int order) const;
  /// The entry at other variables, as many as there are modes.
  Expression entry_at(const std::vector<IndexVar>& modes) const;

 private:
  std::vector<IndexVar> modes_;
  Expression entry_;
};

template <typename A>
inline constexpr bool is_whole = std::is_same_v<std::remove_cvref_t<A>, WholeExpression>;
template <Element T>
inline constexpr bool is_whole<Tensor<T>> = true;
/// A tensor, or an expression over whole tensors.
template <typename A>
concept Whole = is_whole<std::remove_cvref_t<A>>;
/// Two operands of which one is such: the other one may be a number.
template <typename A, typename B>
concept OneWhole = Whole<A> || Whole<B>;

/// A function of entries, `what` for messages, applied to each.
WholeExpression entrywise(const std::string& what, const WholeExpression& a, const WholeExpression& b,
                          Expression (*f)(const Expression&, const Expression&));
WholeExpression entrywise(const WholeExpression& a, Expression (*f)(const Expression&));

/// The matrix product: of matrices, of a matrix and a vector, of a vector and a matrix, or the inner product of two
/// vectors, which is of order 0. Throws Error for other orders.
WholeExpression matmul(const WholeExpression& a, const WholeExpression& b);
/// The sum of all entries, of order 0.
WholeExpression sum(const WholeExpression& a);

template <typename A, typename B>
requires OneWhole<A, B> WholeExpression operator+(const A& a, const B& b) {
  return entrywise("+", a, b, [](const Expression& x, const Expression& y) { return x + y; });
}
template <typename A, typename B>
requires OneWhole<A, B> WholeExpression operator-(const A& a, const B& b) {
  return entrywise("-", a, b, [](const Expression& x, const Expression& y) { return x - y; });
}
/// Entry by entry; matmul is the product of matrices.
template <typename A, typename B>
requires OneWhole<A, B> WholeExpression operator*(const A& a, const B& b) {
  return entrywise("*", a, b, [](const Expression& x, const Expression& y) { return x * y; });
}
template <typename A, typename B>
requires OneWhole<A, B> WholeExpression operator/(const A& a, const B& b) {
  return entrywise("/", a, b, [](const Expression& x, const Expression& y) { return x / y; });
}
template <Whole A>
WholeExpression operator-(const A& a) {
  return entrywise(a, [](const Expression& x) { return -x; });
}

}  // namespace lacuna
