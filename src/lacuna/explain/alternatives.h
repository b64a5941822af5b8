#pragma once

#include "lacuna/explain/explanation.h"

namespace lacuna {

/// What other orders of the loops would cost, cheapest first, a few of them; and how many cannot be had because
/// operands store their levels in another one. Nothing for statements with one variable, or with very many.
std::vector<Reason> alternatives_of(const Scheduled& scheduled, const ScheduleProblem& problem,
                                    const cost::Counts& counts);

}  // namespace lacuna
