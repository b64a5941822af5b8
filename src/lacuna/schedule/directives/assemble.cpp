#include "lacuna/concrete/refusal.h"
#include "lacuna/schedule/directives/common.h"
#include "lacuna/schedule/directives/directives.h"

namespace lacuna {

/// Asks for a way to make the result; finish() refuses it where the loops do not allow it.
Scheduled apply(const Scheduled& before, const directive::Assemble& d) {
  Scheduled after = before;
  const std::string& result = before.program.result().var.name();
  if (d.tensor != result) refuse("assemble", "{} is not the result; the result is {}", d.tensor, result);
  after.assembled_by = d.strategy;
  return after;
}

}  // namespace lacuna
