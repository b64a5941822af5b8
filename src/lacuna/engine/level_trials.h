#pragma once

#include <mutex>
#include <set>
#include <string>

#include "lacuna/format/format.h"

namespace lacuna {

/// Tries the functions of level files on some elements in the checking interpreter before they are compiled. There, a
/// function that does not end is stopped, and a null reference is noticed. Compiled, the one would hang and the other
/// crash. Thread-safe.
class LevelTrials {
 public:
  /// Tries the dynamic levels of a format, each once. Throws Error, naming the file and the function, where one of them
  /// fails, or makes nodes that are not as the schema says, or loses elements.
  void require(const Format& format);

 private:
  std::mutex mutex_;
  std::set<std::string> passed_;  // names and texts of files
};

}  // namespace lacuna
