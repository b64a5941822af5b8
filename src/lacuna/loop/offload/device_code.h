#pragma once

#include <map>
#include <string>

#include "lacuna/loop/ir.h"

// What a thread of a device runs: statements of the kernel, changed so that each thread has what is its own.
namespace lacuna::loop::offloading {

/// An array of one thread, as a part of an array of all threads.
struct Part {
  Var all;
  Var first;  // where the part begins
};

/// A statement without what only processors do: loops of threads and lanes inside it run serially, and hints are left
/// out. Arrays among `parts` become parts of other arrays, and are neither declared, allocated nor released. Variables
/// among `renamed` get other names. Throws Error, naming what it is, where the statement does what no thread of a
/// device can: allocate memory, or call BLAS.
Stmt device_code(const Stmt& stmt, const std::map<Var, Part>& parts, const std::map<Var, Var>& renamed);

/// The same of an expression.
Expr device_code(const Expr& expr, const std::map<Var, Part>& parts, const std::map<Var, Var>& renamed);

}  // namespace lacuna::loop::offloading
