#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lacuna/distribute/comm/communicator.h"

namespace lacuna {

/// Runs something on every rank, and goes on when it is through on all. Where it throws on some, all ranks throw what
/// the first of them threw, of the same kind; a message that not all share says on which rank. `what` says
/// where in the program this is, item by item, with all that must be the same on every rank: throws Error, naming the
/// first item that differs, where a rank is elsewhere.
void together(Communicator& ranks, const std::vector<std::string>& what, const std::function<void()>& run);

/// The same of one thing of which each rank does a share: where some throw, all throw what the first of them threw, as
/// if each had done all of it. Nobody has to know on which rank.
void together_as_one(Communicator& ranks, const std::vector<std::string>& what, const std::function<void()>& run);

/// Runs something on rank 0 that all go on with, as a file that it writes: when all are here, for some may still use
/// what was there before; and they go on when it is done. Where it throws, all ranks throw the same. Collective.
void on_first(Communicator& ranks, const std::vector<std::string>& what, const std::function<void()>& run);

/// What ranks say in few bytes, with the memory for it.
struct Said {
  std::string mine;
  std::vector<std::string> all;  // by rank
};
/// Fills in what all said, where all of them ask so. Whether they do: where some rank is elsewhere, every one that
/// asked has to go on with `together`, which tells what is wrong. Collective, also with a `together` of other ranks.
bool said_by_all(Communicator& ranks, Said& said);

/// Of something that ranks do together: whether one that is through waits for the others, where failures are thrown.
enum class AtTheEnd : std::uint8_t { WaitForAll, GoOn };

void run_or_abort(Communicator& ranks, const std::function<void()>& run, AtTheEnd at_the_end);

/// Runs something after which other ranks may be waiting for this one. Where it throws, and there are others, all ends
/// here (Communicator::abort), with the exit code of the command: 2 for a user's mistake, 1 for something outside, 70
/// for a bug. Or, as Communicator::failures says, all ranks throw what the first of those threw that failed, as
/// `together` does. Collective.
template <typename Run>
void or_abort(Communicator& ranks, const Run& run) {
  if (ranks.ranks() == 1) run();
  else run_or_abort(ranks, std::cref(run), AtTheEnd::WaitForAll);  // not copied, which could take memory
}

/// The same of what not every rank does, or not as often, within something that all do: others throw where they wait
/// next.
template <typename Run>
void or_abort_alone(Communicator& ranks, const Run& run) {
  if (ranks.ranks() == 1) run();
  else run_or_abort(ranks, std::cref(run), AtTheEnd::GoOn);
}

}  // namespace lacuna
