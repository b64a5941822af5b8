#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lacuna/dynamic/lower/dynamic_level.h"
#include "lacuna/loop/interpret.h"
#include "lacuna/tensor/storage.h"

namespace lacuna {

/// Runs the `check` functions that the files of a format's levels have, in the interpreter. What the schema says is
/// validate()'s matter; these know what it cannot say: balance, colours, how full nodes are.
class LevelChecker {
 public:
  /// For tensors in the format, type and dimensions of this one.
  explicit LevelChecker(const Storage& tensor);
  ~LevelChecker();

  /// The first tree of the tensor that is not as it must be, in words; empty where there is none.
  std::string fault_of(const Storage& tensor) const;
  /// How many of the format's levels have such a function.
  std::size_t checks() const { return checks_.size(); }

 private:
  struct Check;
  std::vector<std::unique_ptr<Check>> checks_;
};

}  // namespace lacuna
