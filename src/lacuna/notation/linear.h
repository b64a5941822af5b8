#pragma once

#include <string>

#include "lacuna/notation/check.h"

namespace lacuna {

/// What a statement's result changes by when the values of one operand change.
struct LinearChange {
  /// dy(…) = …: the terms that read the operand, with its change in its place. To be computed in the result's type,
  /// with the extents of the whole statement, and to be added to the result.
  Statement statement;
  std::string operand;  // the change's name in the statement
  Type type;            // values of the operand are converted to this type, and there subtracted
};

/// The change of a statement that is linear in an operand: the result that belongs to other values of it is the old one
/// and the change that belongs to the difference of the values. In integers that holds exactly, as they wrap; in
/// floating point within rounding, and as long as everything is finite.
///
///   y(i) = b(i) + A(i,j) * G(j,k) * x(k)   becomes, for G,   dy(i) = A(i,j) * dG(j,k) * x(k)
///
/// A statement is linear if each of its terms reads the operand once at most, below nothing but additions,
/// multiplications, sums, divisions of it in floating point, and conversions that keep sums sums. Throws Error that
/// names the term and what is in the way. The operand must be read by the statement and not be its result.
LinearChange change_of(const Statement& s, const std::string& operand, const FactsByName& facts, Type result_type);

}  // namespace lacuna
