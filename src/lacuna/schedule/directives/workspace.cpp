#include <algorithm>

#include <fmt/ranges.h>

#include "lacuna/concrete/refusal.h"
#include "lacuna/schedule/directives/common.h"
#include "lacuna/schedule/directives/precompute.h"
#include "lacuna/schedule/problem/tree.h"
#include "lacuna/schedule/problem/workspaces.h"

namespace lacuna::directives {
namespace {

using concrete::Program;

/// All levels alike, one a mode in the order of the modes.
bool is_workspace_format(const Format& f) {
  const int order = f.order();
  return f == dense_format(order) || f == bitmap_format(order) || f == hashed_format(order);
}

/// Coordinates are numbered through, also those of hash tables.
void check_size(const Program& p, const std::vector<IndexVar>& over) {
  double size = 1;
  for (const IndexVar& v : over) size *= static_cast<double>(p.extents.at(v));
  if (size > 0x1p62)
    refuse("precompute", "{} take more values together than 64-bit numbers can distinguish; precompute over fewer",
           fmt::join(names_of(over), ", "));
}

}  // namespace

WorkspaceVariables workspace_variables(Program& p, const directive::Precompute& d, const std::vector<IndexVar>& free,
                                       const std::string& what) {
  if (d.variables.size() != d.producer_variables.size() || d.variables.empty())
    refuse("precompute", "{} variables of the expression, but {} for the loops that compute it: give as many",
           d.variables.size(), d.producer_variables.size());
  WorkspaceVariables all;
  for (std::size_t k = 0; k < d.variables.size(); ++k) {
    const IndexVar v = loop_variable(p, d.variables[k], "precompute");
    if (p.provenance.is_derived(v))
      refuse("precompute",
             "{} was made from {}; precompute over the variables of the statement, and split or fuse "
             "their loops after that",
             v.name(), fmt::join(names_of(p.provenance.underived(v)), " and "));
    if (!contains(free, v)) refuse("precompute", "{} does not use {}", what, d.variables[k]);
    if (contains(all.over, v)) refuse("precompute", "{} is named twice", d.variables[k]);
    all.over.push_back(v);
    const bool same = d.producer_variables[k] == d.variables[k];
    const IndexVar iw = same ? v : new_variable(p, d.producer_variables[k], "precompute");
    all.producing.emplace(v, iw);
    p.extents[iw] = p.extents.at(v);
  }
  return all;
}

TensorVar add_workspace(Program& p, const directive::Precompute& d, const WorkspaceVariables& variables,
                        const Format& otherwise, Type type) {
  const std::vector<IndexVar>& over = variables.over;
  const Format format = d.format.value_or(otherwise);
  if (format.order() != static_cast<int>(over.size()))
    refuse("precompute", "the workspace is over {} variables, but its format {} has {} levels", over.size(),
           format.to_string(), format.order());
  if (!is_workspace_format(format))
    refuse("precompute", "a workspace in {} is not available; there are dense, bitmap and hashed ones",
           format.to_string());
  check_size(p, over);
  const auto taken = [&](const concrete::Tensor& t) { return t.var.name() == d.name; };
  if (std::any_of(p.tensors.begin(), p.tensors.end(), taken))
    refuse("precompute", "there is a tensor {} already; choose another name for the workspace", d.name);
  const TensorVar made = workspaces::add(p, d.name.empty() ? "w" : d.name, over, format, type);
  p.tensors.back().as_asked = d.format.has_value();
  return made;
}

}  // namespace lacuna::directives
