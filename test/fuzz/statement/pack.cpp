#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include <fmt/ranges.h>

#include "fuzz/statement/problem.h"
#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/schedule/language/schedule.h"
#include "lacuna/support/check.h"
#include "lacuna/tensor/hash.h"

namespace lacuna::fuzz {
namespace {

Array integers(Type type, const std::vector<std::int64_t>& values) {
  Array array = Array::allocate(type, static_cast<std::int64_t>(values.size()), false);
  for (std::size_t k = 0; k < values.size(); ++k) {
    Scalar(values[k]).convert(type).store(static_cast<char*>(array.mutable_data()) +
                                          k * static_cast<std::size_t>(size_of(type)));
  }
  return array;
}

/// The wanted type, or Int32 where it does not hold all of 0…largest. (No operand is larger than that.)
Type fitting(Type wanted, std::size_t largest) {
  const Scalar value(static_cast<std::int64_t>(largest));
  return value.convert(wanted).convert(Type::Int64) == value ? wanted : Type::Int32;
}

/// Lays entries out level by level in the order in which they are given, which building from coordinates never does:
/// unordered levels get the order of the entries, and repeated coordinates stay apart where the format lets them.
class Packer {
 public:
  explicit Packer(const Operand& operand) : operand_(operand), groups_(1) {
    groups_[0].entries.resize(operand.entries.size());
    std::iota(groups_[0].entries.begin(), groups_[0].entries.end(), std::size_t{0});
  }

  Storage run() {
    Storage out;
    out.format = operand_.format;
    out.type = operand_.type;
    out.dimensions = operand_.dimensions;
    out.fill = Scalar::zero(operand_.type);
    for (level_ = 0; level_ < operand_.format.order(); ++level_) out.levels.push_back(pack_level());
    out.values = values();
    return out;
  }

 private:
  /// What is stored below one position. A position that does not exist (an empty slot) holds nothing that counts.
  struct Group {
    std::vector<std::size_t> entries;
    bool exists = true;
  };

  std::int64_t coordinate(std::size_t entry, int level) const {
    return operand_.entries[entry].coordinate[static_cast<std::size_t>(operand_.format.map().mode_of(level))];
  }
  std::int64_t extent() const {
    return operand_.dimensions[static_cast<std::size_t>(operand_.format.map().mode_of(level_))];
  }
  Type coordinate_width() const {
    return fitting(operand_.crd.value_or(coordinate_type(extent())), static_cast<std::size_t>(extent()));
  }
  const LevelFormat& level_format() const { return operand_.format.level(level_); }

  LevelStorage pack_level() {
    LevelStorage level;
    switch (level_format().kind) {
      case LevelKind::Dense: spread(false); break;
      case LevelKind::Bitmap: level.present = spread(true); break;
      case LevelKind::Compressed: compress(level); break;
      case LevelKind::Singleton: follow(level); break;
      case LevelKind::Hashed: hash(level); break;
      case LevelKind::Dynamic: throw InternalError("nodes are made by kernels");
    }
    level.extent = extent();
    level.positions = static_cast<std::int64_t>(groups_.size());
    return level;
  }

  /// Dense and bitmap levels: every coordinate has a position. Returns which of them hold anything.
  Array spread(bool only_present) {
    const auto n = static_cast<std::size_t>(extent());
    std::vector<Group> below(groups_.size() * n);
    std::vector<std::int64_t> present(below.size());
    for (std::size_t p = 0; p < groups_.size(); ++p) {
      for (const std::size_t e : groups_[p].entries)
        below[p * n + static_cast<std::size_t>(coordinate(e, level_))].entries.push_back(e);
      for (std::size_t c = 0; c < n; ++c) below[p * n + c].exists = groups_[p].exists;
    }
    for (std::size_t q = 0; q < below.size(); ++q) {
      present[q] = below[q].entries.empty() ? 0 : 1;
      if (only_present) below[q].exists = present[q] != 0;
    }
    groups_ = std::move(below);
    return integers(Type::UInt8, present);
  }

  /// The coordinates by which a child of this level is told from its siblings: its own, and those of the singletons
  /// that follow where it is not unique.
  std::vector<std::int64_t> identity(std::size_t entry) const {
    std::vector<std::int64_t> key;
    int k = level_;
    key.push_back(coordinate(entry, k));
    while (!operand_.format.level(k).unique && k + 1 < operand_.format.order()) key.push_back(coordinate(entry, ++k));
    // A chain that is unique nowhere keeps entries of equal coordinates apart.
    if (!operand_.format.level(k).unique) key.push_back(static_cast<std::int64_t>(entry));
    return key;
  }

  bool chain_is_ordered() const {
    int k = level_;
    while (operand_.format.level(k).ordered && !operand_.format.level(k).unique && k + 1 < operand_.format.order()) ++k;
    return operand_.format.level(k).ordered;
  }

  std::vector<Group> children(const Group& group) const {
    std::vector<std::pair<std::vector<std::int64_t>, Group>> found;
    std::map<std::vector<std::int64_t>, std::size_t> places;
    for (const std::size_t e : group.entries) {
      std::vector<std::int64_t> key = identity(e);
      const auto [place, fresh] = places.emplace(key, found.size());
      if (fresh) found.emplace_back(std::move(key), Group{});
      found[place->second].second.entries.push_back(e);
    }
    if (chain_is_ordered())
      std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    else if (level_format().ordered)
      std::stable_sort(found.begin(), found.end(),
                       [](const auto& a, const auto& b) { return a.first[0] < b.first[0]; });
    std::vector<Group> result;
    for (auto& [key, child] : found) result.push_back(std::move(child));
    return result;
  }

  void compress(LevelStorage& level) {
    std::vector<std::int64_t> pos = {0};
    std::vector<std::int64_t> crd;
    std::vector<Group> below;
    for (const Group& group : groups_) {
      for (Group& child : children(group)) {
        crd.push_back(coordinate(child.entries.front(), level_));
        below.push_back(std::move(child));
      }
      pos.push_back(static_cast<std::int64_t>(below.size()));
    }
    groups_ = std::move(below);
    level.pos = integers(fitting(operand_.pos.value_or(Type::Int32), groups_.size()), pos);
    level.crd = integers(coordinate_width(), crd);
  }

  void follow(LevelStorage& level) {
    std::vector<std::int64_t> crd;
    for (const Group& group : groups_) {
      if (!group.exists) {
        crd.push_back(0);
        continue;
      }
      if (group.entries.empty()) user_error("a singleton without an entry");
      crd.push_back(coordinate(group.entries.front(), level_));
      for (const std::size_t e : group.entries)
        if (coordinate(e, level_) != crd.back()) user_error("a singleton with two entries");
    }
    level.crd = integers(coordinate_width(), crd);
  }

  void hash(LevelStorage& level) {
    std::vector<std::int64_t> pos = {0};
    std::vector<std::int64_t> crd;
    std::vector<Group> below;
    for (const Group& group : groups_) {
      std::vector<Group> found = children(group);
      const std::int64_t size = hash_region_size(static_cast<std::int64_t>(found.size()));
      const std::size_t begin = below.size();
      below.resize(begin + static_cast<std::size_t>(size), Group{{}, false});
      crd.resize(below.size(), empty_slot);
      for (Group& child : found) {
        const std::int64_t c = coordinate(child.entries.front(), level_);
        std::int64_t slot = hash_slot(c, size);
        while (crd[begin + static_cast<std::size_t>(slot)] >= 0) slot = (slot + 1) % size;
        crd[begin + static_cast<std::size_t>(slot)] = c;
        child.exists = true;
        below[begin + static_cast<std::size_t>(slot)] = std::move(child);
      }
      pos.push_back(static_cast<std::int64_t>(below.size()));
    }
    groups_ = std::move(below);
    level.pos = integers(fitting(operand_.pos.value_or(Type::Int32), groups_.size()), pos);
    // An empty slot is negative.
    level.crd = integers(is_signed_integer(coordinate_width()) ? coordinate_width() : Type::Int32, crd);
  }

  Array values() const {
    const auto width = static_cast<std::size_t>(size_of(operand_.type));
    Array out = Array::allocate(operand_.type, static_cast<std::int64_t>(groups_.size()), true);
    for (std::size_t p = 0; p < groups_.size(); ++p) {
      const Group& g = groups_[p];
      if (g.entries.size() > 1) user_error("a coordinate is stored twice");
      // Memory of positions that do not exist may hold anything; nothing may read it.
      const Scalar value = !g.entries.empty() ? operand_.entries[g.entries.front()].value
                           : g.exists         ? Scalar(0)
                                              : Scalar(77);
      value.convert(operand_.type).store(static_cast<char*>(out.mutable_data()) + p * width);
    }
    return out;
  }

  const Operand& operand_;
  std::vector<Group> groups_;
  int level_ = 0;
};

}  // namespace

namespace {

/// Nodes are made from the same entries in arrays.
Storage nodes_of(const Operand& operand) {
  Operand in_arrays = operand;
  in_arrays.format = array_format_of(operand.format);
  Options options;
  options.target.backend = Target::Backend::Interpreter;
  Engine engine(jit_options(Environment{}));
  return stored_as(engine, storage_of(in_arrays), operand.format, options);
}

}  // namespace

Storage storage_of(const Operand& operand) {
  if (operand.format.has_nodes()) return nodes_of(operand);
  Storage storage = Packer(operand).run();
  validate(storage, "operand");
  return storage;
}

Request request_of(const Problem& problem) {
  Request request;
  request.statement = problem.statement;
  for (const auto& [name, operand] : problem.operands) request.operands[name] = storage_of(operand);
  request.result_format = problem.result_format;
  request.result_type = problem.result_type;
  // Only what nothing else tells: the sizes that a user would have to give.
  for (const IndexVar& v : all_variables(problem.statement)) request.sizes[v.name()] = problem.extents.at(v.name());
  request.schedule = parse_schedule(fmt::format("{}", fmt::join(problem.schedule, ", ")));
  return request;
}

bool Problem::is_distributed() const {
  const auto distributes = [](const std::string& d) {
    return d.starts_with("distribute") || d.starts_with("communicate") || d.starts_with("rotate");
  };
  return !machine.empty() || std::any_of(schedule.begin(), schedule.end(), distributes);
}

}  // namespace lacuna::fuzz
