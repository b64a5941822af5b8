#include "lacuna/distribute/parts/partition.h"

#include <algorithm>

#include "lacuna/support/block.h"
#include "lacuna/support/check.h"
#include "lacuna/tensor/convert.h"

namespace lacuna {

namespace {

using Kind = DistTarget::Kind;

/// Blocks of `length` of a set's numbers, dealt to `processors` in turn: those of one of them.
IndexSet dealt(const IndexSet& all, std::int64_t length, std::int64_t processors, std::int64_t processor) {
  const std::int64_t size = all.size();
  // Neither product may be more than 64 bits hold.
  if (processor > size / length) return {};
  if (all.is_interval()) {
    const Interval from_first = {all.bounds().begin + processor * length, all.bounds().end};
    return IndexSet::of_blocks(from_first, length,
                               size / length < processors ? std::max(size, length) : length * processors);
  }
  IndexSetBuilder builder;
  std::int64_t begin = processor * length;  // the rank at which a block begins
  std::int64_t next = begin;                // and that from which on it is to be added
  std::int64_t before = 0;
  all.for_each_interval([&](const Interval& run) {
    const std::int64_t past = before + run.size();
    while (next < past) {
      const std::int64_t end = begin + std::min(length, size - begin), stop = std::min(end, past);
      builder.add({run.begin + (next - before), run.begin + (stop - before)});
      next = stop;
      if (stop < end) break;  // the block goes on in the next run
      begin = (size - begin) / length < processors ? size : begin + length * processors;
      next = begin;
    }
    before = past;
  });
  return builder.finish();
}

/// From where one of the blocks begins to where the next one does.
Interval range_of(const Share& share, std::int64_t size, std::int64_t piece) {
  const auto begin_of = [&](std::int64_t p) {
    if (p == 0) return std::int64_t{0};
    return p > std::ssize(share.begins) ? size : std::min(size, share.begins[static_cast<std::size_t>(p - 1)]);
  };
  return {begin_of(piece), begin_of(piece + 1)};
}

int level_counted(const Share& share, const Format& format) {
  return counted_level(format, static_cast<int>(share.modes.size()) - 1);
}

/// Goes through the machine, dimension by dimension, with what the dimensions so far leave of the tensor.
class Partitioner {
 public:
  Partitioner(const Format& format, const Distribution& distribution, PositionCounter& counter)
      : format_(format), distribution_(distribution), counter_(counter) {}

  std::vector<Restriction> run(const Restriction& whole) {
    enter(0, whole);
    return std::move(parts_);
  }

 private:
  const DistributionClause& clause(std::size_t level) const { return distribution_.clauses()[level]; }
  std::int64_t processors(std::size_t level, std::size_t dimension) const {
    return distribution_.machine().level(static_cast<int>(level)).size(static_cast<int>(dimension));
  }

  /// Shares `whole` out over a level of the machine.
  void enter(std::size_t level, const Restriction& whole) {
    if (level == distribution_.clauses().size()) {
      parts_.push_back(whole);
      return;
    }
    // What is counted is counted once, in all of `whole`; one dimension of a grid counts.
    std::vector<CountedPiece> counted;
    const std::vector<Share>& shares = clause(level).shares;
    for (std::size_t d = 0; d < shares.size(); ++d) {
      if (!counts_positions(shares[d], format_)) continue;
      const std::int64_t pieces = processors(level, d);
      const std::int64_t size = counter_.count(whole, level_counted(shares[d], format_));
      std::vector<Interval> ranks;
      for (std::int64_t p = 0; p < pieces; ++p) ranks.push_back(block(size, pieces, p));
      counted = counter_.pieces(ranks);
    }
    share_out(level, 0, whole, counted);
  }

  void share_out(std::size_t level, std::size_t dimension, const Restriction& part,
                 const std::vector<CountedPiece>& counted) {
    const std::vector<Share>& shares = clause(level).shares;
    if (dimension == shares.size()) return enter(level + 1, part);
    const Share& share = shares[dimension];
    if (!share.partitions()) return share_out(level, dimension + 1, part, counted);
    const std::int64_t pieces = processors(level, dimension);
    for (std::int64_t p = 0; p < pieces; ++p)
      share_out(level, dimension + 1, share_of(share, part, counted, pieces, p), counted);
  }

  Restriction share_of(const Share& share, const Restriction& all, const std::vector<CountedPiece>& counted,
                       std::int64_t processors, std::int64_t processor) const {
    Restriction part = all;
    const auto mode = static_cast<std::size_t>(share.modes[0]);
    if (counts_positions(share, format_)) {
      counted[static_cast<std::size_t>(processor)].limit(part, level_counted(share, format_), mode);
      return part;
    }
    IndexSet& coordinates = part.coordinates[mode];
    coordinates = share_of_set(coordinates, share, processors, processor);
    return part;
  }

  const Format& format_;
  const Distribution& distribution_;
  PositionCounter& counter_;
  std::vector<Restriction> parts_;
};

}  // namespace

IndexSet share_of_set(const IndexSet& all, const Share& share, std::int64_t processors, std::int64_t processor) {
  if (share.kind == Kind::Cyclic) return dealt(all, share.number, processors, processor);
  if (share.kind == Kind::Ranges) return all.slice(range_of(share, all.size(), processor));
  return all.slice(block(all.size(), processors, processor));
}

bool counts_positions(const Share& share, const Format& format) {
  return share.kind == Kind::NonZero && !format.level(level_counted(share, format)).full();
}

bool counts_positions(const Distribution& distribution, const Format& format) {
  for (const DistributionClause& clause : distribution.clauses())
    for (const Share& share : clause.shares)
      if (counts_positions(share, format)) return true;
  return false;
}

std::vector<Restriction> colours_of(const Format& format, const Restriction& whole, const Distribution& distribution,
                                    PositionCounter& counter) {
  return Partitioner(format, distribution, counter).run(whole);
}

Partition partition(const Storage& tensor, const Distribution& distribution, const std::string& name) {
  check_distribution(distribution, tensor.format, name);
  Partition out(tensor.format.has_nodes() ? convert(tensor, array_format_of(tensor.format)) : tensor, distribution);
  WholeCounter counter(out.tensor_);
  out.parts_ = colours_of(out.tensor_.format, whole_of(out.tensor_), distribution, counter);
  return out;
}

std::vector<std::int64_t> Partition::processors_of(std::int64_t colour) const {
  return processors_of_colour(distribution_, colours(), colour);
}

std::vector<std::int64_t> processors_of_colour(const Distribution& distribution, std::int64_t colours,
                                               std::int64_t colour) {
  internal_check(colour >= 0 && colour < colours, "colour {} of {}", colour, colours);
  const Machine& machine = distribution.machine();
  std::int64_t below = colours;  // colours that the dimensions not yet come to tell apart
  std::vector<std::int64_t> processors = {0};
  for (int k = 0; k < machine.levels(); ++k) {
    for (int d = 0; d < machine.level(k).dimensions(); ++d) {
      const Share& share = distribution.clauses()[static_cast<std::size_t>(k)].shares[static_cast<std::size_t>(d)];
      const std::int64_t size = machine.level(k).size(d);
      Interval here{share.number, share.number + 1};
      if (share.kind == Kind::Broadcast) here = {0, size};
      if (share.partitions()) {
        below /= size;
        here = {colour / below % size, colour / below % size + 1};
      }
      std::vector<std::int64_t> finer;
      for (const std::int64_t processor : processors) {
        for (std::int64_t c = here.begin; c < here.end; ++c) finer.push_back(processor * size + c);
      }
      processors = std::move(finer);
    }
  }
  return processors;
}

std::optional<std::int64_t> Partition::colour_at(std::int64_t processor) const {
  const Machine& machine = distribution_.machine();
  const std::vector<std::int64_t> point = machine.point(processor);
  std::int64_t colour = 0;
  std::size_t next = 0;
  for (int k = 0; k < machine.levels(); ++k) {
    for (int d = 0; d < machine.level(k).dimensions(); ++d) {
      const Share& share = distribution_.clauses()[static_cast<std::size_t>(k)].shares[static_cast<std::size_t>(d)];
      const std::int64_t here = point[next++];
      if (share.kind == Kind::Fixed && here != share.number) return std::nullopt;
      if (share.partitions()) colour = colour * machine.level(k).size(d) + here;
    }
  }
  return colour;
}

std::vector<Storage> Partition::tiles(std::int64_t colour, PieceMemory memory) const {
  internal_check(colour >= 0 && colour < colours(), "colour {} of {}", colour, colours());
  std::vector<Storage> tiles;
  for (const Restriction& box : boxes_of(part(colour), tensor_.format))
    tiles.push_back(make_piece(tensor_, box, live_positions(tensor_, box), memory));
  return tiles;
}

Storage Partition::piece(std::int64_t colour, PieceMemory memory) const {
  std::vector<Storage> all = tiles(colour, memory);
  if (all.size() != 1) {
    user_error(
        "distribution {}: piece {} is {} tiles, since a dense or bitmap level is partitioned in blocks; ask for its "
        "tiles",
        distribution_.to_string(), colour, all.size());
  }
  return std::move(all.front());
}

PieceSize Partition::size_of(std::int64_t colour) const {
  PieceSize size;
  for (const Storage& tile : tiles(colour)) {
    size.entries += tile.stored();
    size.bytes += tile.bytes();
    ++size.tiles;
  }
  return size;
}

double Partition::imbalance() const {
  std::int64_t most = 0, all = 0;
  for (std::int64_t c = 0; c < colours(); ++c) {
    const std::int64_t entries = size_of(c).entries;
    most = std::max(most, entries);
    all += entries;
  }
  return all == 0 ? 1 : static_cast<double>(most) * static_cast<double>(colours()) / static_cast<double>(all);
}

}  // namespace lacuna
