#pragma once

#include <functional>
#include <memory>
#include <string>

#include "lacuna/tensor/storage.h"

namespace lacuna::contest {

/// One way to do the work of a problem. All of them end alike: the result is complete, sorted and in memory, with no
/// work put off.
struct Contestant {
  std::string name;
  std::function<void()> run;        // this is what is timed
  std::function<Storage()> result;  // what the last run computed, for checking
  std::function<void()> clear;      // before each run, not timed: frees the last result; may be empty
};

/// The contestant whose state, a `Race` with members run() and result(), lives as long as it does.
template <typename Race>
Contestant contestant_of(const std::string& name, std::shared_ptr<Race> race) {
  Contestant c{name, [race] { race->run(); }, [race] { return race->result(); }, {}};
  if constexpr (requires { race->clear(); }) c.clear = [race] { race->clear(); };
  return c;
}

}  // namespace lacuna::contest
