#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lacuna/concrete/program.h"

/// What makes workspaces: precompute, and what completes a schedule whose sums have no place.
namespace lacuna::workspaces {

/// A workspace that keeps values, marks and a list of what was touched, or a hash table where that would take too much
/// memory for all that there may be.
Format sparse_format(const concrete::Program& p, const std::vector<IndexVar>& over);

/// The format of a workspace that nobody chose: dense where the part that it collects has a value wherever the loops
/// that compute it come to, whatever is stored; else sparse.
Format format_for(const concrete::Program& p, const Expr& part, const std::vector<IndexVar>& over);

/// Whether such a workspace has rows that are there or not as one variable's coordinates are stored, and is small
/// enough to have room for all of them: then it can be dense, with a mark a row, if it is filled once.
bool has_sparse_rows(const concrete::Program& p, const Expr& part, const std::vector<IndexVar>& over);

/// A name that no tensor of the program has: the wanted one, or that with a number.
std::string fresh_tensor(const concrete::Program& p, const std::string& wanted);

/// Adds a workspace over variables to the program. A name that is taken gets a number.
TensorVar add(concrete::Program& p, const std::string& name, const std::vector<IndexVar>& over, const Format& format,
              Type type);

/// The statement adding to `to` wherever it assigned to the result; `target` becomes what that was.
concrete::Stmt collect(const concrete::Program& p, const concrete::Stmt& s, const Access& to,
                       std::optional<Access>& target);

}  // namespace lacuna::workspaces
