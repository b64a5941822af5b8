#pragma once

#include "lacuna/schedule/directives/branch.h"
#include "lacuna/schedule/directives/parts.h"

/// What the two kinds of precompute share: of a part of the right side, and of the result.
namespace lacuna::directives {

/// What a workspace is over.
struct WorkspaceVariables {
  std::vector<IndexVar> over;  // of the loops that read it
  branch::Renaming producing;  // those of the loops that fill it, by them
};

/// The variables of a precompute, which are among `free`; makes the new ones. `what` is the expression, for messages.
WorkspaceVariables workspace_variables(concrete::Program& p, const directive::Precompute& d,
                                       const std::vector<IndexVar>& free, const std::string& what);

/// Adds the workspace to the program, in the format asked for or, without one, in `otherwise`.
TensorVar add_workspace(concrete::Program& p, const directive::Precompute& d, const WorkspaceVariables& variables,
                        const Format& otherwise, Type type);

/// precompute(C(i,j),{j},{jw}) of the result's own access: whatever is assigned to it is added up in the workspace.
Scheduled precompute_result(const Scheduled& before, const directive::Precompute& d);

}  // namespace lacuna::directives
