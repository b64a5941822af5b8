#pragma once

#include "lacuna/explain/explanation.h"

namespace lacuna {

/// Why the loops, the temporaries, the assembly of the result and the threads are what they are.
std::vector<Reason> reasons_of(const Scheduled& scheduled, const ScheduleProblem& problem, const iteration::Nest& nest,
                               bool chosen);

/// The variables of loops in the order in which they are run: producers before what consumes them.
std::vector<IndexVar> running_order(const iteration::Nest& nest);
/// How the result is assembled, in a few words.
std::string assembly_words(const concrete::Program& program);
/// What a temporary is for, in a few words.
std::string temporary_words(const concrete::Program& program, const concrete::Tensor& t);

}  // namespace lacuna
