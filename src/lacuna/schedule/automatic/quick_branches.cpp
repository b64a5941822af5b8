#include "lacuna/schedule/automatic/quick_branches.h"

#include <optional>

#include "lacuna/schedule/automatic/pieces.h"
#include "lacuna/support/error.h"

namespace lacuna {
namespace {

class Quickener {
 public:
  Quickener(ScheduleTrials& trials, const Schedule& branching)
      : trials_(trials), problem_(trials.problem()), schedule_(branching) {}

  Schedule run() {
    for (std::size_t k = 0; k < schedule_.directives.size(); ++k) k += sum_around(k);
    if (const auto s = trials_.directed(schedule_))
      for (const RowPieces& pieces : row_pieces_of_branches(*s, problem_)) take_ahead(in_registers(pieces), pieces);
    if (const auto s = trials_.directed(schedule_))
      for (const RowPieces& pieces : short_sums_of_branches(*s, problem_)) take_ahead(in_lanes(pieces), pieces);
    return std::move(schedule_);
  }

 private:
  /// Takes a longer schedule where it is legal.
  bool take(const Schedule& next) {
    if (!trials_.completed(next)) return false;
    schedule_ = next;
    return true;
  }

  bool take_more(const std::vector<DirectiveKind>& directives) {
    Schedule next = schedule_;
    for (const DirectiveKind& d : directives) next.directives.push_back({d, {}});
    return take(next);
  }

  /// The consumer of the split that directive k makes adds to one short row in all turns of the loops that it shares
  /// with the producer: the loop over the row's only piece goes outside of them. How many directives come before k
  /// then.
  std::size_t sum_around(std::size_t k) {
    const auto* fuse = std::get_if<directive::LoopFuse>(&schedule_.directives[k].kind);
    if (fuse == nullptr || fuse->shared_loops.value_or(0) == 0) return 0;
    Schedule before;
    before.directives.assign(schedule_.directives.begin(),
                             schedule_.directives.begin() + static_cast<std::ptrdiff_t>(k));
    const auto loops = trials_.directed(before);
    const auto pieces = loops ? row_pieces_around(*loops, problem_, *fuse) : std::nullopt;
    if (!pieces) return 0;
    Schedule next = before;
    next.directives.push_back({directive::Split{pieces->variable, pieces->outer, pieces->inner, pieces->size}, {}});
    next.directives.push_back({directive::Reorder{pieces->order}, {}});
    directive::LoopFuse around = *fuse;
    ++*around.shared_loops;
    next.directives.push_back({around, {}});
    next.directives.insert(next.directives.end(), schedule_.directives.begin() + static_cast<std::ptrdiff_t>(k) + 1,
                           schedule_.directives.end());
    next.directives.push_back({directive::Unroll{pieces->inner, static_cast<int>(pieces->size)}, {}});
    return take(next) ? 2 : 0;
  }

  /// Takes pieces, and what they are worth asking for ahead.
  void take_ahead(const std::vector<DirectiveKind>& directives, const RowPieces& pieces) {
    if (take_more(directives) && pieces.ahead > 0) take_more({directive::Prefetch{pieces.led_by, pieces.ahead}});
  }

  ScheduleTrials& trials_;
  const ScheduleProblem& problem_;
  Schedule schedule_;
};

}  // namespace

Schedule with_quick_branches(ScheduleTrials& trials, const Schedule& branching) {
  return Quickener(trials, branching).run();
}

}  // namespace lacuna
