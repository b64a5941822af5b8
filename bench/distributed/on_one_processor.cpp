#include "bench/distributed/on_one_processor.h"

namespace lacuna::contest {

OnOneProcessor::OnOneProcessor(int rank) : before_{} {
  if (sched_getaffinity(0, sizeof before_, &before_) != 0) return;
  int left = rank % CPU_COUNT(&before_), processor = 0;
  while (!CPU_ISSET(processor, &before_) || left-- > 0) ++processor;
  cpu_set_t one{};
  CPU_SET(processor, &one);
  sched_setaffinity(0, sizeof one, &one);
}

OnOneProcessor::~OnOneProcessor() {
  if (CPU_COUNT(&before_) > 0) sched_setaffinity(0, sizeof before_, &before_);
}

}  // namespace lacuna::contest
