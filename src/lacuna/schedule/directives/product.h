#pragma once

#include <cstddef>
#include <vector>

#include "lacuna/notation/check.h"
#include "lacuna/notation/expr.h"

/// Sums and products as lists, to be put together in other groups. Other groups round otherwise; what integers wrap to
/// is kept.
namespace lacuna::product {

struct Addend {
  Expr expr;
  bool negative = false;
};

/// What an expression adds and subtracts; the expression itself where it does neither. Integers of another type than
/// `sum`, which wrap before they get there, stay together.
std::vector<Addend> addends_of(const Expr& e, const FactsByName& facts, Type sum);
/// The sum of some, in their order; at least one.
Expr add_up(const std::vector<Addend>& addends);

struct Factor {
  Expr expr;
  bool divides = false;
};

struct Product {
  std::vector<Factor> factors;  // the first does not divide
  bool negative = false;
  Type type = Type::Float64;  // that all is multiplied in
};

/// What an expression multiplies and divides by, through signs; the expression itself where it does nothing of this.
/// Factors that are multiplied in another type than the whole stay together, as do quotients of integers.
Product product_of(const Expr& e, const FactsByName& facts);

/// Some factors of a product, by their numbers from 0.
using Places = std::vector<std::size_t>;
bool contains(const Places& places, std::size_t k);

/// The factors that are not just numbers, which is what is called the operands of a product.
Places operands_of(const Product& p);

/// The variables that some of the factors use, each as often as it is used.
std::vector<IndexVar> variables_of(const Product& p, const Places& places);

/// The product of some of the factors, in their order and the type of the whole; one of them does not divide.
Expr multiply(const Product& p, const Places& places, const FactsByName& facts);

/// The whole with `by` for these factors, in the place of the first of them that does not divide.
Expr replace(const Product& p, const Places& places, const Expr& by, const FactsByName& facts);

}  // namespace lacuna::product
