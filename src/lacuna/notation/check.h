#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/notation/expr.h"

namespace lacuna {

/// What is known of the tensors of a statement, by name.
struct TensorFacts {
  Type type = Type::Float64;
  std::optional<std::vector<std::int64_t>>
      dimensions;  // by mode; none for a result that takes its size from the statement
};
using FactsByName = std::map<std::string, TensorFacts>;

/// One additive term of a statement (semantics.md, "Sums"): sign, the term, and the variables it is summed over.
struct Term {
  bool negative = false;
  Expr expr;
  std::vector<IndexVar> sums;  // free in expr and not on the left side, in order of first occurrence
};

/// Splits the right side at its top-level + and - (through parentheses and unary minus).
std::vector<Term> terms_of(const Statement& s);

/// Refuses, with the place and the fix, statements that mean nothing or two things: an addition inside a product (or
/// function) not all of whose addends use a summed variable; the result on the right at other coordinates than those
/// written; a sum over a variable that is on the left or already bound, be it by the implied sum of its term; an index
/// variable where the variable of a reduction would stand, as in max(j, e); a variable's value where the variable
/// indexes nothing; one name for two tensors, two variables, or both. Variables
/// whose extent nothing bounds are left to infer_dimensions, which knows the tensors.
void check_meaning(const Statement& s);

/// What means something and yet is probably a mistake, a sentence each: a factor of a term that shares no index with
/// the left side or with the rest of its term, as x(k) in y(i) = A(i,j) * x(k).
std::vector<std::string> doubts_about(const Statement& s);

/// The extent of every variable from the dimensions of the tensors and `given` sizes (by variable name). Throws Error
/// naming both tensors and modes when they disagree, and when a variable's size cannot be told (suggesting -d).
std::map<IndexVar, std::int64_t> infer_dimensions(const Statement& s, const FactsByName& facts,
                                                  const std::map<std::string, std::int64_t>& given = {});

/// The type of an expression under the usual arithmetic conversions and the function table.
Type type_of(const Expr& e, const FactsByName& facts);
/// The type in which the right side is computed and its implicit sums run: the terms' types converted together (unary
/// minus promotes), promote()d; or the result's type, where that is given, wider and exact for all values of the terms'
/// type.
Type compute_type(const Statement& s, const FactsByName& facts, std::optional<Type> result = std::nullopt);
/// The statement with written-out sums that are whole terms running in the type `compute`, where that is wider than
/// their own, as implied sums do.
Statement with_wide_sums(const Statement& s, const FactsByName& facts, Type compute);

/// The statement without the sums that implied ones say as well: those that are whole terms, and those in products
/// whose other factors go into the sum, as 2 and the other sum do in 2 * sum(k, sum(j, A(i,j) * B(j,k)) * x(k)). Sums
/// of another type than their term's stay, as do terms of another type than `compute`, in which implied sums run, and
/// sums of additions. Products of floating-point numbers are rounded otherwise (semantics.md, "Determinism"). Loops of
/// implied sums may have any order, those of others stay inside.
Statement with_implied_sums(const Statement& s, const FactsByName& facts, Type compute);

/// Refuses, with the place and both explicit forms, a division of integers under the sum that its term gets
/// (semantics.md, "Sums"): dividing the sum and summing the quotients differ there, and nothing says which is meant.
/// Every tensor must be known.
void check_divisions(const Statement& s, const FactsByName& facts);

/// Which tensor names occur on the right side, in order of first occurrence.
std::vector<std::string> operand_names(const Statement& s);

}  // namespace lacuna
