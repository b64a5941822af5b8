#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

#include "lacuna/dynamic/code/load.h"
#include "lacuna/tensor/storage.h"

namespace lacuna {

/// The functions of a level's file that made its nodes, by the number of the level.
using MadeBy = std::function<std::string(const schema::LevelFile& file, int level)>;

/// Throws Error, naming the file and its functions, where the nodes of a dynamic level are not as their schema says, or
/// elements that were put in are not reached. Before this, nothing may walk or print what functions of level files
/// made: they are a user's, and nodes that refer to each other in a circle have no end.
void check_nodes(const Storage& tensor, const MadeBy& made_by);

/// The same of a tensor that was filled with its elements in their order.
void check_filled_nodes(const Storage& tensor);

/// Which results of one kernel have their nodes checked, since that takes about as long as filling them: the first, the
/// second, the fourth and so on, and each that has more than twice as many entries as those that were checked before.
/// Thread-safe.
class NodeChecks {
 public:
  /// To be asked once a result.
  bool is_due(std::int64_t entries);

 private:
  std::mutex mutex_;
  std::int64_t results_ = 0, next_ = 1, largest_ = 0;
};

}  // namespace lacuna
