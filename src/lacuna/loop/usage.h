#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "lacuna/loop/ir.h"

namespace lacuna::loop {

/// What one function does to its surroundings.
struct FunctionUsage {
  std::set<Var> used;      // read, written or assigned anywhere in it
  std::set<Var> assigned;  // scalars given a new value after their declaration; loop variables
  std::set<Var> written;   // arrays with elements stored to, here or by a function that gets them; reallocated ones
  std::set<Var> moved;     // arrays whose memory was, or will be, at another place or another owner's
  std::set<std::string> calls;
  bool needs_context = false;  // it, or a function it calls, allocates or starts threads
  bool can_fail = false;       // it, or a function it calls, allocates
  bool has_effect = false;     // a call of it changes an array of the caller, or may fail
};

/// The usage of every function of the module by its name, and of the kernel.
struct ModuleUsage {
  std::map<std::string, FunctionUsage> functions;
  FunctionUsage kernel;
  std::set<std::string> reached;  // the functions that the kernel calls, or that those call
};

ModuleUsage find_usage(const Module& module);

/// The names that a module uses are taken.
NameSupply names_of(const Module& module);

/// Scalars that `stmt` assigns and arrays that it changes, as far as it says so itself (not through calls).
FunctionUsage usage_of(const Stmt& stmt);

/// What the tasks of a parallel loop, or the threads of a launch, use of what is declared around it, in the order of
/// their names.
std::vector<Var> captured_by(const For& loop);
std::vector<Var> captured_by(const Launch& launch);

/// The variables to which the outermost statements of `body` give a value, or memory, before anything mentions them and
/// before it can be left: they may be declared there.
std::set<Var> set_before_use(const Stmt& body);

}  // namespace lacuna::loop
