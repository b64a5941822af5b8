#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/format/distribution/machine.h"
#include "lacuna/format/format.h"

namespace lacuna {

/// A name for a dimension in tensor distribution notation, as x and y in `xy -> x`. Each is a name of its own; a letter
/// is what it is printed as, where no other dimension has it.
class DistVar {
 public:
  DistVar() : DistVar('\0') {}
  explicit DistVar(char letter) : identity_(std::make_shared<const char>(letter)) {}
  char letter() const { return *identity_; }
  bool operator==(const DistVar& other) const { return identity_ == other.identity_; }

 private:
  std::shared_ptr<const char> identity_;
};

/// What a distribution writes for one dimension of the machine: a name, `~x`, `nonzeros({x, y})`, `cyclic(x, 64)`,
/// `blocks(x, {5, 9})`, a number, or `broadcast()`.
struct DistTarget {
  enum class Kind : std::uint8_t { Block, Ranges, Cyclic, NonZero, Fixed, Broadcast };
  Kind kind = Kind::Broadcast;
  std::vector<DistVar> names;             // Block, Ranges, Cyclic: one; NonZero: those that are fused
  std::int64_t number = 0;                // Cyclic: the length of a block; Fixed: the coordinate
  std::vector<std::int64_t> begins = {};  // Ranges: of all blocks but the first

  DistTarget() = default;
  DistTarget(const DistVar& name) : kind(Kind::Block), names{name} {}
  template <std::integral Number>
  DistTarget(Number coordinate) : kind(Kind::Fixed), number(static_cast<std::int64_t>(coordinate)) {}
};

/// `~x`: equal numbers of what is stored along x, instead of equal ranges of x.
DistTarget operator~(const DistVar& name);
/// `~(xy)`: equal numbers of what is stored along the fused dimensions.
DistTarget nonzeros(std::vector<DistVar> fused);
/// `x%64`: blocks of 64, dealt to the processors one after the other.
DistTarget cyclic(const DistVar& name, std::int64_t block);
/// `x[5,9]`: blocks of a user's choice, [0,5), [5,9) and from 9 to the end: one a processor, as data lies that other
/// programs dealt out. Those that begin behind the end are empty.
DistTarget blocks(const DistVar& name, std::vector<std::int64_t> begins);
/// `*`: a copy at every coordinate.
DistTarget broadcast();

/// What one dimension of a machine does with a tensor: a target whose names are resolved to modes.
struct Share {
  DistTarget::Kind kind = DistTarget::Kind::Broadcast;
  std::vector<int> modes;
  std::int64_t number = 0;
  std::vector<std::int64_t> begins = {};

  /// Different coordinates hold different parts.
  bool partitions() const { return kind != DistTarget::Kind::Fixed && kind != DistTarget::Kind::Broadcast; }
  bool operator==(const Share&) const = default;
};

/// How a level of the machine, each of its grids alike, shares out what the level around it handed down: a share a
/// dimension.
struct DistributionClause {
  std::string letters;  // by mode, for printing
  std::vector<Share> shares;
  /// The letters do not matter.
  bool operator==(const DistributionClause& other) const { return shares == other.shares; }
};

/// Where the parts of a tensor live on a machine, in tensor distribution notation (DISTAL, section 3.2; SpDISTAL,
/// section II-B): `Distribution({x, y}, M, {x})` is "xy -> x". Part of how a tensor is stored. A value.
class Distribution {
 public:
  /// Says it of the outermost level of the machine; levels within hold copies until `then` says more. A name that is no
  /// dimension of the tensor broadcasts. Throws Error where a name is there twice, where there are not as many targets
  /// as dimensions of the machine, where something else than a plain name is no dimension of the tensor, and where a
  /// coordinate is outside of the machine.
  Distribution(const std::vector<DistVar>& tensor, const Machine& machine, const std::vector<DistTarget>& targets);

  /// The same, and what the next level of the machine does with each part: "xy -> xy; zw -> z".
  Distribution then(const std::vector<DistVar>& tensor, const std::vector<DistTarget>& targets) const;

  /// How many modes it is for.
  int order() const { return order_; }
  const Machine& machine() const { return machine_; }
  /// One a level of the machine, outermost first.
  const std::vector<DistributionClause>& clauses() const { return clauses_; }
  /// The letters do not matter.
  bool operator==(const Distribution& other) const {
    return machine_ == other.machine_ && order_ == other.order_ && clauses_ == other.clauses_;
  }
  /// "xy -> xy*; zw -> z". Levels that only hold copies are left out at the end.
  std::string to_string() const;

 private:
  Machine machine_;
  int order_ = 0;
  int said_ = 0;  // of how many levels something was said
  std::vector<DistributionClause> clauses_;
};

/// A distribution as a user writes it for a tensor of some name.
struct NamedDistribution {
  std::string tensor;  // empty where the text names none
  Distribution distribution;
};

/// Reads "xy -> x", "B: xyz -> ~(xy)", "xy -> xy0", "xy -> x%64 y%64", "xy -> x[5,9]", "xy -> xy; zw -> z". Throws
/// Error with the column.
NamedDistribution parse_distribution(std::string_view text, const Machine& machine);

/// Throws Error unless tensors of this format can be cut so: it has as many modes; what is counted (`~`) is stored in
/// the outermost levels, in this order; nothing is cut that cannot be left out (leave_out.h). `name` is the tensor's in
/// messages, or empty.
void check_distribution(const Distribution& distribution, const Format& format, const std::string& name);

}  // namespace lacuna
