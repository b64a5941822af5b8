#pragma once

#include "lacuna/lower/nest/balance.h"
#include "lacuna/lower/nest/loop.h"

// How threads share out the iterations of a loop that no schedule has cut into pieces: in shares of equal work.
namespace lacuna {

/// The results that a parallel loop assigns to, where its iterations append to some of them; else none.
std::vector<Assembler*> appended_results(const Results& results, const concrete::Forall& f);

/// The results that a parallel loop's iterations append to, in what comes before it, inside it and after it; nothing
/// where there are none.
class SharedResults {
 public:
  SharedResults(std::vector<Assembler*> results, Assembler::Sharing sharing, Statements& before);
  void enter(const loop::Expr& iteration, Statements& body);
  void leave(const loop::Expr& iteration, Statements& body);
  void after(Statements& out);

 private:
  std::vector<Assembler*> results_;
  Assembler::Sharing sharing_;
};

/// How the work of a loop lies over the coordinates that it runs through.
Workload workload_of(const OpenLoop& loop);

/// Emits a loop that threads share out: in shares of its coordinates, by the nodes that it comes to or, where its
/// iterations are alike, one by one.
void emit_shared(OpenLoop& loop, Statements& out);

}  // namespace lacuna
