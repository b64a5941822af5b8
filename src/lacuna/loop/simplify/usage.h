#pragma once

#include <map>

#include "lacuna/loop/ir.h"

namespace lacuna::loop::simplifier {

/// How a function uses a variable.
struct Usage {
  int declarations = 0;    // by Declare
  int assignments = 0;     // by Assign, as a loop variable, as a reduction
  int reads = 0;           // of the value, other than by an assignment to itself; of elements; as an argument
  int writes = 0;          // of elements; as the source or target of a move of memory
  bool is_effect = false;  // giving it a value calls a function, or it is reduced
};

using Usages = std::map<Var, Usage>;

/// Of every variable that occurs in the body.
Usages usages(const Stmt& body);

}  // namespace lacuna::loop::simplifier
