#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lacuna/concrete/program.h"

/// Walks over concrete statements that directives share.
namespace lacuna::tree {

/// The statement with every part replaced by what `change` makes of it, innermost parts first. `change` hands back its
/// argument where nothing is to be done.
concrete::Stmt rewrite(const concrete::Stmt& s, const std::function<concrete::Stmt(const concrete::Stmt&)>& change);

/// The variables that have loops, outermost first, each once.
std::vector<IndexVar> loop_variables(const concrete::Stmt& s);

/// Calls `visit` for each assignment with the loops around it, outermost first.
void each_assignment(
    const concrete::Stmt& s,
    const std::function<void(const concrete::Assign&, const std::vector<const concrete::Forall*>&)>& visit);

/// A name for a new loop: the one that is wanted, with a number behind it where a variable has that.
std::string fresh_variable(const concrete::Program& p, const std::string& wanted);

/// Whether threads run a loop in which a tensor is assigned.
bool is_assigned_by_threads(const concrete::Program& p, const TensorVar& tensor);

/// The variables of each level of an access.
std::vector<IndexVar> level_variables(const concrete::Program& p, const Access& a);

}  // namespace lacuna::tree
