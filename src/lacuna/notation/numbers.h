#pragma once

#include <map>
#include <string>

#include "lacuna/notation/check.h"
#include "lacuna/notation/expr.h"

namespace lacuna {

/// A statement of which numbers became operands of order 0, called number_1, number_2, … from left to right, so that
/// one kernel serves whatever they are. It means the same: such an operand is never absent and not structural, as a
/// literal is, and has the literal's type (docs/explanation/semantics.md).
///
///     u(i) += 0.5 * p(i)   ->   u(i) += number_1 * p(i)   with number_1 = 0.5
struct PassedNumbers {
  Statement statement;
  std::map<std::string, Scalar> numbers;  // by the operand's name
};

/// Literals stay where the compiler or the C compiler makes another kernel of what they are:
///   - zero: what is zero everywhere is stored nowhere, so that clearing a sparse tensor takes no loop over all of it;
///   - what integers are divided by, and both arguments of `mod` and `pow`, where they are constants;
///   - constants of which a function is computed, since C compilers round that otherwise than the library does.
/// `facts`: the types of all tensors on the right side.
PassedNumbers pass_numbers(const Statement& s, const FactsByName& facts);

/// Whether an expression is a literal, or an operand that stands for one. By their names, since statements are also
/// passed on as text; a tensor of somebody who calls it so is read as ever, but counts as a number where factors of a
/// product are split (schedule/directives/product.h).
bool is_number(const Expr& e);
bool is_passed_number(const TensorVar& tensor);
/// The name of the n-th one.
std::string passed_number_name(int n);

}  // namespace lacuna
