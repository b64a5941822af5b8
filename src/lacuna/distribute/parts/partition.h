#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lacuna/distribute/parts/piece.h"
#include "lacuna/distribute/parts/position_counter.h"
#include "lacuna/distribute/sets/restriction.h"
#include "lacuna/format/distribution/distribution.h"
#include "lacuna/tensor/storage.h"

namespace lacuna {

/// What a colour holds.
struct PieceSize {
  std::int64_t entries = 0;
  std::int64_t bytes = 0;  // of arrays, those that it shares with the whole among them
  std::int64_t tiles = 0;
};

/// A tensor cut up by a distribution: colours, what each of them holds, and which processors have it. A colour is a
/// point in those dimensions of the machine that share something out; every entry has one colour. A value; the tensor's
/// arrays are shared.
class Partition {
 public:
  const Distribution& distribution() const { return distribution_; }
  /// What was cut up. Where the tensor had dynamic levels, its entries in arrays (array_format_of): pieces of nodes are
  /// ordered sequences, from which nodes are built where they are needed.
  const Storage& tensor() const { return tensor_; }

  std::int64_t colours() const { return std::ssize(parts_); }
  /// Which part of the tensor a colour holds.
  const Restriction& part(std::int64_t colour) const { return parts_[static_cast<std::size_t>(colour)]; }

  /// The processors (Machine::number) that hold a colour: several where it is broadcast.
  std::vector<std::int64_t> processors_of(std::int64_t colour) const;
  /// What a processor holds; none where the tensor lives on another face of the machine.
  std::optional<std::int64_t> colour_at(std::int64_t processor) const;

  /// A colour's entries as tensors of the same format, dimensions and coordinates, each valid by itself. More than one
  /// only where a mode that is dealt out in blocks (`x%64`) is stored in a dense or bitmap level: then one a block.
  std::vector<Storage> tiles(std::int64_t colour, PieceMemory memory = PieceMemory::InPlace) const;
  /// The only tile. Throws Error where there are more.
  Storage piece(std::int64_t colour, PieceMemory memory = PieceMemory::InPlace) const;

  PieceSize size_of(std::int64_t colour) const;
  /// The most entries of a colour relative to the mean: 1 is even.
  double imbalance() const;

 private:
  friend Partition partition(const Storage& tensor, const Distribution& distribution, const std::string& name);
  Partition(Storage tensor, Distribution distribution)
      : tensor_(std::move(tensor)), distribution_(std::move(distribution)) {}

  Storage tensor_;
  Distribution distribution_;
  std::vector<Restriction> parts_;  // by colour; the innermost dimension of the machine fastest
};

/// What each colour of a distribution holds of a tensor of this format, of which `whole` is all.
std::vector<Restriction> colours_of(const Format& format, const Restriction& whole, const Distribution& distribution,
                                    PositionCounter& counter);
/// What one of so many processors gets of a set of coordinates that are cut up as they are, not by what is stored; `~`
/// is as blocks here.
IndexSet share_of_set(const IndexSet& all, const Share& share, std::int64_t processors, std::int64_t processor);
/// The processors that hold one of so many colours.
std::vector<std::int64_t> processors_of_colour(const Distribution& distribution, std::int64_t colours,
                                               std::int64_t colour);
/// Whether what a distribution, or a share of it, gives a processor depends on what tensors of this format store (`~`).
/// A dense outermost level stores everything: equal numbers are equal ranges.
bool counts_positions(const Share& share, const Format& format);
bool counts_positions(const Distribution& distribution, const Format& format);

/// Cuts a tensor up. Throws Error where its format does not allow the distribution (check_distribution); `name` is the
/// tensor's in messages.
Partition partition(const Storage& tensor, const Distribution& distribution, const std::string& name = {});

}  // namespace lacuna
