#include "lacuna/schedule/directives/directives.h"
#include "lacuna/support/error.h"

namespace lacuna {
namespace {

[[noreturn]] void refuse(const char* directive) {
  user_error(
      "{}: this statement runs on one processor; say which machine it is for (--machine, or a Distribution in a "
      "tensor's format)",
      directive);
}

}  // namespace

Scheduled apply(const Scheduled&, const directive::Distribute&) { refuse("distribute"); }
Scheduled apply(const Scheduled&, const directive::Communicate&) { refuse("communicate"); }
Scheduled apply(const Scheduled&, const directive::Rotate&) { refuse("rotate"); }

}  // namespace lacuna
