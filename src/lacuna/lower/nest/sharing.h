#pragma once

#include "lacuna/lower/nest/balance.h"
#include "lacuna/lower/nest/loop.h"

// How threads share out the iterations of a loop that no schedule has cut into pieces: in shares of equal work.
namespace lacuna {

/// The results that a parallel loop assigns to, where its iterations append to some of them; else none.
std::vector<Assembler*> appended_results(const Results& results, const concrete::Forall& f);

/// How the work of a loop lies over the coordinates that it runs through.
Workload workload_of(const OpenLoop& loop);

/// Emits a loop that threads share out: in shares of its coordinates, by the nodes that it comes to or, where its
/// iterations are alike, one by one.
void emit_shared(OpenLoop& loop, Statements& out);

}  // namespace lacuna
