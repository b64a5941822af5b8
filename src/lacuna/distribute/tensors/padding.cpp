#include "lacuna/distribute/tensors/padding.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lacuna/distribute/comm/numbers.h"
#include "lacuna/distribute/parts/numbering.h"
#include "lacuna/distribute/tensors/tuple_set.h"
#include "lacuna/tensor/build_entries.h"
#include "lacuna/tensor/integers.h"

namespace lacuna {
namespace {

using Sets = std::vector<IndexSet>;  // by mode

/// The dense levels at the end, if there are others above them, and where parts have different pieces of their
/// stretches. Takes no memory, as it is looked at whenever a statement is run.
class Stretches {
 public:
  explicit Stretches(const Format& format) : format_(format), above_(format.levels_above_full()) {}
  /// Outermost first.
  std::vector<std::size_t> modes_above() const {
    std::vector<std::size_t> modes;
    for (int k = 0; k < above_; ++k) modes.push_back(mode_of(k));
    return modes;
  }
  /// Whether any part has another piece than another one.
  bool are_cut(const TensorPlacement& placement) const {
    if (above_ == 0) return false;
    return std::any_of(placement.parts.begin(), placement.parts.end(), [&](const TensorPlacement::Part& part) {
      return differ(part.what.coordinates, placement.parts.front().what.coordinates);
    });
  }
  /// Whether one part may have something at coordinates at which the other one has another piece.
  bool are_cut_between(const Sets& one, const Sets& other) const {
    if (!differ(one, other)) return false;
    for (int k = 0; k < format_.order(); ++k) {
      const std::size_t m = mode_of(k);
      if (k < above_ ? (one[m] & other[m]).empty() : other[m].empty()) return false;
    }
    return true;
  }

 private:
  std::size_t mode_of(int level) const { return static_cast<std::size_t>(format_.map().mode_of(level)); }
  bool differ(const Sets& one, const Sets& other) const {
    for (int k = above_; k < format_.order(); ++k)
      if (one[mode_of(k)] != other[mode_of(k)]) return true;
    return false;
  }

  const Format& format_;
  int above_;  // how many levels
};

class Padding {
 public:
  Padding(const DistributedTensor& tensor, Communicator& ranks)
      : tensor_(tensor), ranks_(ranks), stretches_(tensor.shape().format), modes_(stretches_.modes_above()) {}

  /// Coordinates above stretches that parts of this rank lack, by part.
  std::map<std::size_t, TupleSet> find() {
    std::map<std::size_t, TupleSet> lacked;
    for (auto& [part, others] : of_others()) {
      others.sort();
      TupleSet rest = others.without(above(part));
      if (rest.size() > 0) lacked.emplace(part, std::move(rest));
    }
    return lacked;
  }

  /// A part with stretches of zeros added at these coordinates, at which it has none: one entry of each is enough.
  LocalPart padded(std::size_t p, const TupleSet& at) const {
    const LocalPart& part = tensor_.part(static_cast<std::int64_t>(p));
    CoordinateList zeros{part.storage.dimensions, {}, Array::allocate(part.storage.type, at.size(), false)};
    auto* values = static_cast<std::byte*>(zeros.values.mutable_data());
    for (std::int64_t n = 0; n < at.size(); ++n) tensor_.shape().fill.store(values + n * size_of(part.storage.type));
    for (const IndexSet& set : part.sets)
      zeros.coordinates.push_back(Array::allocate(coordinate_type(set.size()), at.size(), true));
    for (std::size_t k = 0; k < modes_.size(); ++k) {
      const Ranks ranks(part.sets[modes_[k]]);
      with_mutable_coordinates(zeros.coordinates[modes_[k]], [&](auto to) {
        using To = typename decltype(to)::value_type;
        for (std::int64_t n = 0; n < at.size(); ++n)
          to[static_cast<std::size_t>(n)] = static_cast<To>(*ranks.of(at[n][k]));
      });
    }
    const PartShape& shape = tensor_.shape();
    return join({part, {part.sets, build_with_fill(std::move(zeros), shape.format, {}, shape.fill)}}, part.sets, shape);
  }

 private:
  const Sets& sets_of(std::size_t part) const { return tensor_.placement().parts[part].what.coordinates; }

  /// At which a part stores something.
  TupleSet above(std::size_t part) const {
    TupleSet all(modes_.size());
    add_coordinates(tensor_.part(static_cast<std::int64_t>(part)), modes_, all);
    all.sort();
    return all;
  }

  /// At which others have stretches of which a part of this rank has another piece, by part.
  std::map<std::size_t, TupleSet> of_others() {
    std::vector<std::vector<std::int64_t>> to_each(static_cast<std::size_t>(ranks_.ranks()));
    for (const std::int64_t p : tensor_.parts_counted_here()) tell(static_cast<std::size_t>(p), to_each);
    const std::size_t length = modes_.size();
    std::map<std::size_t, TupleSet> all;
    for (const std::vector<std::int64_t>& from : all_to_all(ranks_, to_each))
      for (std::size_t at = 0; at < from.size(); at += 1 + length)
        all.emplace(static_cast<std::size_t>(from[at]), TupleSet(length)).first->second.add(from.data() + at + 1);
    return all;
  }

  /// Adds to what goes to each rank the coordinates of a part, each behind the number of the part that they concern.
  void tell(std::size_t p, std::vector<std::vector<std::int64_t>>& to_each) const {
    const TupleSet mine = above(p);
    for (std::size_t q = 0; q < tensor_.placement().parts.size(); ++q) {
      if (!stretches_.are_cut_between(sets_of(p), sets_of(q))) continue;
      std::vector<std::int64_t> numbers;
      for (std::int64_t n = 0; n < mine.size(); ++n) {
        bool is_there = true;
        for (std::size_t k = 0; k < mine.length(); ++k)
          is_there = is_there && sets_of(q)[modes_[k]].contains(mine[n][k]);
        if (!is_there) continue;
        numbers.push_back(static_cast<std::int64_t>(q));
        numbers.insert(numbers.end(), mine[n], mine[n] + mine.length());
      }
      std::set<int> holders;
      for (const std::int64_t processor : tensor_.placement().parts[q].processors)
        holders.insert(tensor_.rank_of(processor));
      for (const int rank : holders) {
        std::vector<std::int64_t>& to = to_each[static_cast<std::size_t>(rank)];
        to.insert(to.end(), numbers.begin(), numbers.end());
      }
    }
  }

  const DistributedTensor& tensor_;
  Communicator& ranks_;
  Stretches stretches_;
  std::vector<std::size_t> modes_;  // above the stretches
};

}  // namespace

void add_padding(DistributedTensor& tensor, Communicator& ranks) {
  if (!Stretches(tensor.shape().format).are_cut(tensor.placement())) return;
  Padding padding(tensor, ranks);
  for (const auto& [part, at] : padding.find())
    tensor.set_part(static_cast<std::int64_t>(part), padding.padded(part, at));
}

std::optional<std::string> missing_padding(const DistributedTensor& tensor, Communicator& ranks) {
  if (!Stretches(tensor.shape().format).are_cut(tensor.placement())) return std::nullopt;
  const std::map<std::size_t, TupleSet> lacked = Padding(tensor, ranks).find();
  if (lacked.empty()) return std::nullopt;
  const auto& [part, at] = *lacked.begin();
  return fmt::format("part {} stores nothing at ({}) in the levels above its dense ones, where another part does", part,
                     fmt::join(at[0], at[0] + at.length(), ", "));
}

}  // namespace lacuna
