#pragma once

#include "lacuna/lower/context/context.h"

namespace lacuna {

/// How a forall's loop is run: threads, lanes, what each thread has for itself, and what keeps additions apart.
/// Changes `scope` to that inside the loop.
loop::LoopOptions execution_of(Context& context, const concrete::Forall& forall, Scope& scope);

/// Allocates, in `before`, the arrays of the temporaries that a statement produces, and releases them in `after`. Those
/// of parallel loops inside it are left out: each of their threads has its own.
void declare_temporaries(Context& context, const concrete::Stmt& s, Scope& scope, Statements& before,
                         Statements& after);

/// What a visit keeps of what is left to come to; allocated in `before`, released in `after`.
dynamic::VisitStack declare_visit_stack(Context& context, const dynamic::Visit& visit, const std::string& name,
                                        Statements& before, Statements& after);

/// The workspaces that threads of some loop of a producer collect for, each in one of its own.
std::vector<TensorVar> gathered_workspaces(const concrete::Program& program, const concrete::Stmt& producer);

}  // namespace lacuna
