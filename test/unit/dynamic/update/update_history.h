#pragma once

#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "lacuna/dynamic/update/updated_tensor.h"
#include "lacuna/engine/engine.h"
#include "unit/dynamic/update/level_checker.h"

namespace lacuna {

using Coordinate = std::vector<std::int64_t>;
using EntryMap = std::map<Coordinate, double>;

/// The levels of levels/, by name.
std::vector<std::string> level_names_on_disk();

/// One update of a history.
struct DrawnUpdate {
  Coordinate coordinate;
  double value = 0;
};

CoordinateList list_of(const std::vector<DrawnUpdate>& updates, const std::vector<std::int64_t>& dimensions);
/// What a tensor stores.
EntryMap entries_of(const Storage& tensor);

/// What a history is like.
struct HistoryOptions {
  Options options = {};
  unsigned seed = 7;
  bool check_each = true;   // after each step, or only in the end
  std::int64_t batch = 60;  // updates at most
  SharingOptions sharing = {};
  bool skewed = false;  // half of the updates have the same first coordinate
};

/// A tensor and a map that must agree, and levels that must be in order.
class UpdateHistory {
 public:
  UpdateHistory(Engine& engine, const std::string& format, std::vector<std::int64_t> dimensions,
                const HistoryOptions& options)
      : UpdateHistory(engine, parse_format(format, static_cast<int>(dimensions.size())), dimensions, options) {}
  UpdateHistory(Engine& engine, Format format, std::vector<std::int64_t> dimensions, const HistoryOptions& options);

  /// Each step is a single update or a batch; sometimes a storage is kept, and must stay what it was.
  void run(int steps);
  void check();
  UpdatedTensor& tensor() { return *tensor_; }

 private:
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(n)); }
  bool is_dense_last() const { return format_.level(format_.order() - 1).full(); }
  DrawnUpdate draw();
  /// What the map makes of it; whether it was new, or there.
  bool expected(UpdateOperation operation, const DrawnUpdate& update);
  void single(UpdateOperation operation);
  void batch(UpdateOperation operation);
  void compare(const Storage& storage, const EntryMap& map) const;

  Engine& engine_;
  Format format_;
  std::vector<std::int64_t> dimensions_;
  HistoryOptions options_;
  std::mt19937_64 random_;
  EntryMap map_;
  std::optional<UpdatedTensor> tensor_;
  std::optional<LevelChecker> checker_;
  std::vector<std::pair<Storage, EntryMap>> kept_;
};

}  // namespace lacuna
