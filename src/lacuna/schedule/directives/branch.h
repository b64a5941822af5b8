#pragma once

#include <map>
#include <string>
#include <vector>

#include "lacuna/concrete/program.h"

/// What directives share that compute a part of an assignment first: branched iteration graphs (SparseLNR, definition
/// 4.1).
namespace lacuna::branch {

/// What the loops of one side call the variables of the other.
using Renaming = std::map<IndexVar, IndexVar>;
Expr rename(const Expr& e, const Renaming& names);

/// An assignment whose right side is computed in two steps.
struct Split {
  concrete::Assign assign;  // as it was
  Expr part;                // what the producer adds to the temporary
  Expr rest;                // what is assigned; it reads the temporary
  TensorVar temporary;
  std::vector<IndexVar> modes;  // of the temporary, as the consumer calls them
  Renaming names;               // what the producer calls them
};

/// Whether a loop runs over some, or over all, of these variables of the statement, or over what was made of them.
bool uses_some(const concrete::Program& p, const std::vector<IndexVar>& variables, const IndexVar& loop);
bool uses_all(const concrete::Program& p, const std::vector<IndexVar>& variables, const IndexVar& loop);

/// The variables that the consumer needs but for the temporary's: those of the rest and of what is assigned to.
std::vector<IndexVar> consumer_variables(const Split& split);

/// Consumer where producer, each in those of the loops that it needs, in their order:
///
///   forall j forall k forall l A(i,l) += B(i,j)*C(j,k)*D(k,l)
///     ->  forall k forall l A(i,l) += w(k)*D(k,l)  where  forall j forall kw w(kw) += B(i,j)*C(j,kw)
///
/// Loops that both need are run as they were by the consumer, and one after the other by the producer.
concrete::Stmt in_two(const concrete::Program& p, const std::vector<const concrete::Forall*>& loops,
                      const Split& split);

/// What an assignment adds up in: sums of the result in the type that the statement is computed in, others in that of
/// their temporary.
Type sum_type(const concrete::Program& p, const concrete::Assign& assign);

}  // namespace lacuna::branch
