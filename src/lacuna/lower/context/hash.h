#pragma once

#include "lacuna/loop/build.h"

namespace lacuna {

/// The slot of a table of `mask` + 1 slots, a power of two, at which the search for a key begins: Fibonacci hashing, as
/// hashed levels store it (tensor/hash.h).
inline loop::Expr hash_slot(const loop::Expr& key, const loop::Expr& mask) {
  const loop::Expr mixed = loop::value_op(loop::BinaryOp::Mul, loop::convert(key, Type::UInt64),
                                          loop::Expr(Scalar(std::uint64_t{0x9E3779B97F4A7C15U})));
  const loop::Expr high = loop::value_op(loop::BinaryOp::ShiftRight, mixed, loop::Expr(Scalar(std::uint64_t{32})));
  return loop::bit_and(loop::convert(high, Type::Int64), mask);
}

}  // namespace lacuna
