#include "unit/distribute/definition.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace lacuna::testing {

namespace {

using Kind = DistTarget::Kind;
using Numbers = std::vector<std::int64_t>;

class EntryWalk {
 public:
  explicit EntryWalk(const Storage& tensor) : tensor_(tensor) {
    at_.coordinate.resize(tensor.dimensions.size());
    at_.position.resize(tensor.dimensions.size());
  }
  std::vector<StoredEntry> run() {
    walk(0, 0);
    number();
    return std::move(found_);
  }

 private:
  void walk(int k, std::int64_t parent) {
    if (k == tensor_.order()) {
      const auto* values = static_cast<const unsigned char*>(tensor_.values.data());
      const std::int64_t index = parent - tensor_.values.base();
      at_.value = Scalar::load(tensor_.type, values + index * size_of(tensor_.type)).as<double>();
      found_.push_back(at_);
      return;
    }
    const LevelStorage& level = tensor_.levels[static_cast<std::size_t>(k)];
    const LevelKind kind = tensor_.format.level(k).kind;
    if (kind == LevelKind::Singleton) return enter(k, level.crd.integer(parent), parent);
    if (kind == LevelKind::Dense || kind == LevelKind::Bitmap) {
      for (std::int64_t c = 0; c < level.extent; ++c) {
        const std::int64_t child = parent * level.extent + c;
        const bool there =
            kind == LevelKind::Dense || level.present.view<std::uint8_t>()[static_cast<std::size_t>(child)] != 0;
        if (there) enter(k, c, child);
      }
      return;
    }
    for (std::int64_t p = level.pos.integer(parent); p < level.pos.integer(parent + 1); ++p) {
      if (level.crd.integer(p) >= 0) enter(k, level.crd.integer(p), p);
    }
  }
  /// Positions count in the order of coordinates, level by level, whatever the order in memory.
  void number() {
    std::sort(found_.begin(), found_.end(), [&](const StoredEntry& a, const StoredEntry& b) {
      for (int k = 0; k < tensor_.order(); ++k) {
        const auto mode = static_cast<std::size_t>(tensor_.format.map().mode_of(k));
        if (a.coordinate[mode] != b.coordinate[mode]) return a.coordinate[mode] < b.coordinate[mode];
      }
      return false;
    });
    for (std::size_t k = 0; k < tensor_.dimensions.size(); ++k) {
      std::map<std::int64_t, std::int64_t> numbers;
      for (StoredEntry& entry : found_)
        entry.position[k] = numbers.emplace(entry.position[k], std::ssize(numbers)).first->second;
    }
  }
  void enter(int k, std::int64_t coordinate, std::int64_t position) {
    at_.coordinate[static_cast<std::size_t>(tensor_.format.map().mode_of(k))] = coordinate;
    at_.position[static_cast<std::size_t>(k)] = position;
    walk(k + 1, position);
  }

  const Storage& tensor_;
  StoredEntry at_;
  std::vector<StoredEntry> found_;
};

std::int64_t index_in(const Numbers& sorted, std::int64_t number) {
  return std::lower_bound(sorted.begin(), sorted.end(), number) - sorted.begin();
}

/// Which of `count` equal blocks, rounded up, the `index`-th of `size` things is in.
std::int64_t block_number(std::int64_t index, std::int64_t size, std::int64_t count) {
  std::int64_t length = 0;
  while (length * count < size) ++length;
  return index / length;
}

class Definition {
 public:
  Definition(const Storage& tensor, const std::vector<StoredEntry>& entries, const Distribution& distribution)
      : tensor_(tensor), entries_(entries), distribution_(distribution), colours_(entries.size()) {}

  Numbers run() {
    std::vector<std::size_t> all(entries_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::vector<Numbers> coordinates;
    for (const std::int64_t dimension : tensor_.dimensions) {
      coordinates.emplace_back(static_cast<std::size_t>(dimension));
      std::iota(coordinates.back().begin(), coordinates.back().end(), std::int64_t{0});
    }
    deal(0, all, coordinates, 0);
    return colours_;
  }

 private:
  /// The entries of one part and the coordinates that it covers, by mode, dealt out by a level of the machine.
  void deal(int level, const std::vector<std::size_t>& part, const std::vector<Numbers>& coordinates,
            std::int64_t colour) {
    if (level == distribution_.machine().levels()) {
      for (const std::size_t e : part) colours_[e] = colour;
      return;
    }
    const std::vector<Share>& shares = distribution_.clauses()[static_cast<std::size_t>(level)].shares;
    std::map<Numbers, std::vector<std::size_t>> groups;
    for (const std::size_t e : part) {
      Numbers key;
      for (std::size_t d = 0; d < shares.size(); ++d) {
        if (shares[d].partitions()) key.push_back(place(level, d, e, part, coordinates));
      }
      groups[key].push_back(e);
    }
    for (const auto& [key, group] : groups) {
      std::vector<Numbers> covered = coordinates;
      std::int64_t finer = colour;
      std::size_t next = 0;
      for (std::size_t d = 0; d < shares.size(); ++d) {
        if (!shares[d].partitions()) continue;
        cover(level, d, key[next], part, coordinates, covered);
        finer = finer * distribution_.machine().level(level).size(static_cast<int>(d)) + key[next++];
      }
      deal(level + 1, group, covered, finer);
    }
  }

  /// The level whose positions a share counts; -1 where it cuts coordinates.
  int counted(const Share& share) const {
    if (share.kind != Kind::NonZero) return -1;
    int k = static_cast<int>(share.modes.size()) - 1;
    while (k > 0 &&
           (tensor_.format.level(k).kind == LevelKind::Dense || tensor_.format.level(k).kind == LevelKind::Singleton)) {
      --k;
    }
    return tensor_.format.level(k).kind == LevelKind::Dense ? -1 : k;
  }

  std::int64_t place_of_coordinate(const Share& share, std::int64_t size, const Numbers& all, std::int64_t c) const {
    const std::int64_t index = index_in(all, c);
    if (share.kind == Kind::Cyclic) return index / share.number % size;
    if (share.kind == Kind::Ranges)
      return std::count_if(share.begins.begin(), share.begins.end(), [&](std::int64_t b) { return b <= index; });
    return block_number(index, std::ssize(all), size);
  }

  /// Where along dimension d of the grid an entry of the part lives.
  std::int64_t place(int level, std::size_t d, std::size_t e, const std::vector<std::size_t>& part,
                     const std::vector<Numbers>& coordinates) const {
    const Share& share = distribution_.clauses()[static_cast<std::size_t>(level)].shares[d];
    const std::int64_t size = distribution_.machine().level(level).size(static_cast<int>(d));
    const auto mode = static_cast<std::size_t>(share.modes[0]);
    const int k = counted(share);
    if (k < 0) return place_of_coordinate(share, size, coordinates[mode], entries_[e].coordinate[mode]);
    std::set<std::int64_t> positions;
    for (const std::size_t other : part) positions.insert(entries_[other].position[static_cast<std::size_t>(k)]);
    const Numbers sorted(positions.begin(), positions.end());
    return block_number(index_in(sorted, entries_[e].position[static_cast<std::size_t>(k)]), std::ssize(sorted), size);
  }

  /// Takes from `covered` what lives elsewhere along dimension d of the grid.
  void cover(int level, std::size_t d, std::int64_t here, const std::vector<std::size_t>& part,
             const std::vector<Numbers>& coordinates, std::vector<Numbers>& covered) const {
    const Share& share = distribution_.clauses()[static_cast<std::size_t>(level)].shares[d];
    const std::int64_t size = distribution_.machine().level(level).size(static_cast<int>(d));
    const auto mode = static_cast<std::size_t>(share.modes[0]);
    Numbers kept;
    if (counted(share) < 0) {
      for (const std::int64_t c : coordinates[mode]) {
        if (place_of_coordinate(share, size, coordinates[mode], c) == here) kept.push_back(c);
      }
    } else {
      Numbers mine;
      for (const std::size_t e : part) {
        if (place(level, d, e, part, coordinates) == here) mine.push_back(entries_[e].coordinate[mode]);
      }
      const auto [least, most] = std::minmax_element(mine.begin(), mine.end());
      for (const std::int64_t c : coordinates[mode]) {
        if (*least <= c && c <= *most) kept.push_back(c);
      }
    }
    covered[mode] = kept;
  }

  const Storage& tensor_;
  const std::vector<StoredEntry>& entries_;
  const Distribution& distribution_;
  Numbers colours_;
};

}  // namespace

std::vector<StoredEntry> stored_entries(const Storage& tensor) { return EntryWalk(tensor).run(); }

std::vector<std::int64_t> colours_by_definition(const Storage& tensor, const std::vector<StoredEntry>& entries,
                                                const Distribution& distribution) {
  return Definition(tensor, entries, distribution).run();
}

}  // namespace lacuna::testing
