#include "lacuna/schedule/directives/directives.h"

#include "lacuna/concrete/refusal.h"

namespace lacuna {
namespace {

[[noreturn]] void refuse_on_one_processor(const char* directive) {
  refuse(directive,
         "this statement runs on one processor; say which machine it is for (--machine, or a Distribution in a "
         "tensor's format)");
}

}  // namespace

Scheduled apply(const Scheduled&, const directive::Distribute&) { refuse_on_one_processor("distribute"); }
Scheduled apply(const Scheduled&, const directive::Communicate&) { refuse_on_one_processor("communicate"); }
Scheduled apply(const Scheduled&, const directive::Rotate&) { refuse_on_one_processor("rotate"); }

}  // namespace lacuna
